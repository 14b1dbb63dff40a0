import { fit, toScreen, toWorld, type Box, type Camera, type Size } from "./camera";
import type { Drawn, ToWorker, View } from "./scene";

const MARGIN = 0.45; // of the window, drawn beyond each side so that panning finds a picture
const MOST_PIXELS = 9e6;

/** A window on the map: where it looks, its size, pixels of the device for one of its own. */
export interface Window {
  camera: Camera;
  size: Size;
  ratio: number;
  /** Pixels per unit at which the whole graph fits. */
  fitted: number;
}

/** The pictures a worker draws: the newest is moved as a whole while the user moves, and drawn afresh at rest. */
export class Pictures {
  private readonly worker: Worker;
  private picture: Drawn | null = null;
  private overview: Drawn | null = null;
  private asked = 0;
  busy = false;

  constructor(private readonly now: () => Window, private readonly arrived: () => void) {
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (e: MessageEvent<Drawn>) => this.receive(e.data);
  }

  destroy(): void {
    this.worker.terminate();
  }

  /** Tells the worker what changed; a whole picture drawn before no longer holds, and with `all` no other one either. */
  tell(message: ToWorker, all = false): void {
    if (all) this.picture = null;
    this.overview = null;
    this.worker.postMessage(message);
  }

  /** Asks for a picture of what the window shows now. */
  request(): void {
    const { camera, size, ratio, fitted } = this.now();
    if (size.width < 2) return;
    const area = size.width * size.height * ratio * ratio;
    const margin = Math.max(0, Math.min(MARGIN, (Math.sqrt(MOST_PIXELS / area) - 1) / 2));
    const drawn = { width: Math.ceil(size.width * (1 + 2 * margin)), height: Math.ceil(size.height * (1 + 2 * margin)) };
    const view: View = { camera: { ...camera }, size: drawn, ratio, fitted, window: size };
    this.busy = true;
    this.worker.postMessage({ type: "view", view, id: ++this.asked } satisfies ToWorker);
  }

  /** Whether there is a picture at all. */
  get any(): boolean {
    return this.picture !== null;
  }

  /** Whether the picture was drawn for where the window is. */
  get settled(): boolean {
    const { camera } = this.now();
    const c = this.picture?.view.camera;
    return !!c && c.x === camera.x && c.y === camera.y && c.k === camera.k;
  }

  get complete(): boolean {
    return !this.busy && !!this.picture?.complete && this.settled;
  }

  /** Whether the drawn picture fills the window at a zoom not too far off. */
  covers(): boolean {
    const p = this.picture;
    if (!p) return false;
    const { camera, size } = this.now();
    const zoom = camera.k / p.view.camera.k;
    if (zoom < 0.5 || zoom > 2.2) return false;
    const free = (span: number, drawn: number, off: number): boolean => Math.abs(off) * p.view.camera.k + span / zoom / 2 <= drawn / 2;
    return free(size.width, p.view.size.width, camera.x - p.view.camera.x) && free(size.height, p.view.size.height, camera.y - p.view.camera.y);
  }

  /** Draws what there is: the newest picture, and around it the coarse one of the whole. */
  put(ctx: CanvasRenderingContext2D): void {
    const p = this.picture;
    if (this.overview && this.overview !== p && !this.covers()) {
      const { size } = this.now();
      ctx.save();
      ctx.beginPath();
      ctx.rect(0, 0, size.width, size.height);
      if (p) ctx.rect(...this.frameOf(p));
      ctx.clip("evenodd");
      ctx.drawImage(this.overview.bitmap, ...this.frameOf(this.overview));
      ctx.restore();
    }
    if (p) ctx.drawImage(p.bitmap, ...this.frameOf(p));
  }

  /** Where a picture lies in the window now: left, top, width, height. */
  private frameOf(drawn: Drawn): [number, number, number, number] {
    const { camera, size } = this.now();
    const { camera: c, size: s } = drawn.view;
    const [px, py] = toScreen(camera, size, ...toWorld(c, s, 0, 0));
    const f = camera.k / c.k;
    return [px, py, s.width * f, s.height * f];
  }

  private receive(drawn: Drawn): void {
    if (drawn.id !== this.asked) return drawn.bitmap.close();
    if (this.picture && this.picture !== this.overview) this.picture.bitmap.close();
    this.picture = drawn;
    if (drawn.complete) {
      this.busy = false;
      if (!this.overview && drawn.view.camera.k / this.now().fitted < 1.3) this.overview = drawn;
      if (!this.covers()) this.request();
    }
    this.arrived();
  }
}

/** The camera that fits a box between what covers the top and the foot of the window. */
export function fitBetween(box: Box, size: Size, covered: readonly { x: number; y: number; width: number; height: number }[]): Camera {
  const { width, height } = size;
  const closest = 0.02 * Math.max(1, Math.min(width, height) / 800); // a handful of nodes does not fill the window
  const wide = covered.filter((r) => r.width > width / 3);
  const deepest = (depths: number[]): number => Math.min(height / 4, Math.max(0, ...depths));
  // What covers a part of the width only may lie over a corner, where a round map has little.
  const top = 0.8 * deepest(wide.filter((r) => r.y < height / 4).map((r) => r.y + r.height));
  const foot = 0.6 * deepest(wide.filter((r) => r.y + r.height > (height * 3) / 4 && r.y > height / 2).map((r) => height - r.y));
  const camera = fit(box, { width, height: height - top - foot }, closest);
  return { ...camera, y: camera.y - (top - foot) / 2 / camera.k };
}
