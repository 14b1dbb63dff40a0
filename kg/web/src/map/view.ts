import { fit, boxOf, radiusScale, toScreen, toWorld, zoomAt, type Box, type Camera, type Size } from "./camera";
import { listen } from "./gestures";
import { placeLabels, type Label } from "./labels";
import { Overlay } from "./overlay";
import { Picker } from "./pick";
import type { Drawn, Look, Scene, ToWorker, View } from "./scene";

export interface MapEvents {
  select?(node: number): void;
  selectEdge?(edge: number): void;
  clear?(): void;
  open?(node: number): void;
  hover?(hit: { node: number; edge: number; x: number; y: number } | null): void;
  moved?(camera: Camera): void;
  /** Parts of the window that lie above the map: no label is put there. */
  covered?(): DOMRect[];
}

const MARGIN = 0.45; // of the window, drawn beyond each side so that panning finds a picture
const MOST_PIXELS = 9e6;
const REST_MS = 110; // stillness after which the map is drawn afresh
const MOST_LABELS = 160;

/** The map: a picture drawn by a worker, moved as a whole while the user moves, redrawn at rest. */
export class MapView {
  readonly canvas: HTMLCanvasElement;
  private readonly ctx: CanvasRenderingContext2D;
  private readonly worker: Worker;
  private readonly unlisten: () => void;
  private readonly watch: ResizeObserver;
  private overlay: Overlay;
  private scene: Scene | null = null;
  private names: readonly string[] = [];
  private picker: Picker | null = null;
  private size: Size = { width: 1, height: 1 };
  private ratio = 1;
  private camera: Camera = { x: 32768, y: 32768, k: 0.01 };
  private fitted = 0.01;
  private picture: Drawn | null = null;
  private overview: Drawn | null = null;
  private asked = 0;
  private busy = false;
  private rest = 0;
  private frame = 0;
  private labels: Label[] = [];
  private labelsStale = true;
  private readonly widths = new Map<string, number>();
  private selected: number[] = [];
  private pinned: number[] = [];
  private hovered = -1;
  private started = false;
  private framesDrawn = 0;
  private pending: Camera | "fit" = "fit";

  constructor(private readonly host: HTMLElement, look: Look, private readonly on: MapEvents) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "map-canvas";
    this.canvas.setAttribute("aria-hidden", "true");
    host.append(this.canvas);
    this.ctx = this.canvas.getContext("2d")!;
    this.overlay = new Overlay(look);
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (e: MessageEvent<Drawn>) => this.receive(e.data);
    this.post({ type: "look", look });
    this.unlisten = listen(host, {
      pan: (dx, dy) => this.move({ ...this.camera, x: this.camera.x - dx / this.camera.k, y: this.camera.y - dy / this.camera.k }),
      zoom: (px, py, f) => this.move(zoomAt(this.camera, this.size, px, py, f, [this.fitted * 0.4, Math.max(0.5, this.fitted * 8)])),
      click: (px, py, touch) => this.click(px, py, touch),
      open: (px, py) => {
        const node = this.nodeAt(px, py, 4);
        if (node >= 0) this.on.open?.(node);
        else this.move(zoomAt(this.camera, this.size, px, py, 2, [this.fitted * 0.4, 0.5]));
      },
      hover: (px, py) => this.hover(px, py),
      leave: () => this.leave(),
      fit: () => this.fitAll(),
    });
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
    this.resize();
  }

  destroy(): void {
    this.unlisten();
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.worker.terminate();
    this.canvas.remove();
  }

  /** Shows another graph; the view fits it unless a camera is given or `keep` is set. */
  setScene(scene: Scene, names: readonly string[], camera?: Camera, keep = false): void {
    this.scene = scene;
    this.names = names;
    this.picker = new Picker(scene);
    this.hovered = -1;
    if (!keep) this.picture = null;
    this.overview = null;
    this.post({ type: "scene", scene });
    this.refit();
    this.pending = camera ?? "fit";
    if (!keep || !this.started) this.place();
    this.request();
  }

  /** Colours or visibility changed, the graph did not. */
  repaint(): void {
    if (!this.scene) return;
    this.post({ type: "paint", color: this.scene.color, shown: this.scene.shown });
    this.overview = null;
    this.request();
  }

  setLook(look: Look): void {
    this.overlay = new Overlay(look);
    this.post({ type: "look", look });
    this.overview = null;
    this.request();
  }

  /** Marks nodes (one: a selection with its neighbours; several: a link or a path) and pinned ones. */
  mark(selected: number[], pinned: number[]): void {
    this.selected = selected;
    this.pinned = pinned;
    this.labelsStale = true;
    this.schedule();
  }

  fitAll(): void {
    this.move(this.fitCamera());
  }

  /** Brings nodes into the middle, near enough to read. */
  focus(nodes: number[]): void {
    if (!this.scene || !nodes.length) return;
    const aim = fit(boxOf(this.scene.x, this.scene.y, nodes), this.size, this.fitted * 6);
    this.move({ ...aim, k: nodes.length === 1 ? Math.max(aim.k, this.camera.k) : aim.k });
  }

  zoomBy(factor: number): void {
    this.move(zoomAt(this.camera, this.size, this.size.width / 2, this.size.height / 2, factor, [this.fitted * 0.4, Math.max(0.5, this.fitted * 8)]));
  }

  /** What exports and tests need to know. */
  state(): { camera: Camera; size: Size; fitted: number; ratio: number; labels: Label[]; complete: boolean; frames: number } {
    return {
      camera: this.camera, size: this.size, fitted: this.fitted, ratio: this.ratio, labels: this.labels,
      complete: !this.busy && !!this.picture?.complete && same(this.picture.view.camera, this.camera), frames: this.framesDrawn,
    };
  }

  screen(node: number): [number, number] {
    return toScreen(this.camera, this.size, this.scene!.x[node]!, this.scene!.y[node]!);
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private fitCamera(): Camera {
    const { scene } = this;
    if (!scene) return this.camera;
    const shown: number[] = [];
    for (let i = 0; i < scene.x.length; i++) if (scene.shown[i]) shown.push(i);
    return this.clear(boxOf(scene.x, scene.y, shown.length ? shown : undefined));
  }

  private refit(): void {
    if (this.scene) this.fitted = this.clear(boxOf(this.scene.x, this.scene.y)).k;
  }

  /** Fits a box into the part of the window below what covers its top. */
  private clear(box: Box): Camera {
    const { width, height } = this.size;
    const closest = 0.02 * Math.max(1, Math.min(width, height) / 800); // a handful of nodes does not fill the window
    const tops = this.covered().filter((r) => r.y < height / 4 && r.width > width / 3);
    const top = Math.min(height / 4, Math.max(0, ...tops.map((r) => r.y + r.height)));
    const camera = fit(box, { width, height: height - top * 0.8 }, closest);
    return { ...camera, y: camera.y - (top * 0.4) / camera.k };
  }

  private place(): void {
    if (this.size.width < 2) return;
    this.camera = this.pending === "fit" ? this.fitCamera() : this.pending;
    this.started = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    const first = this.size.width < 2;
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.round(this.size.width * this.ratio);
    this.canvas.height = Math.round(this.size.height * this.ratio);
    this.refit();
    if (first && this.scene) this.place();
    this.request();
    this.paint();
  }

  private move(camera: Camera): void {
    this.camera = camera;
    this.schedule();
    this.labelsStale = true;
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => {
      this.request();
      this.on.moved?.(this.camera);
    }, REST_MS);
    if (!this.busy && !this.covers()) this.request();
  }

  /** Whether the drawn picture fills the window at a zoom not too far off. */
  private covers(): boolean {
    const p = this.picture;
    if (!p) return false;
    const zoom = this.camera.k / p.view.camera.k;
    if (zoom < 0.5 || zoom > 2.2) return false;
    const free = (span: number, drawn: number, off: number): boolean =>
      Math.abs(off) * p.view.camera.k + span / zoom / 2 <= drawn / 2;
    return (
      free(this.size.width, p.view.size.width, this.camera.x - p.view.camera.x) &&
      free(this.size.height, p.view.size.height, this.camera.y - p.view.camera.y)
    );
  }

  private request(): void {
    if (!this.scene || this.size.width < 2) return;
    const area = this.size.width * this.size.height * this.ratio * this.ratio;
    const margin = Math.max(0, Math.min(MARGIN, (Math.sqrt(MOST_PIXELS / area) - 1) / 2));
    const size = { width: Math.ceil(this.size.width * (1 + 2 * margin)), height: Math.ceil(this.size.height * (1 + 2 * margin)) };
    const view: View = { camera: { ...this.camera }, size, ratio: this.ratio, fitted: this.fitted, window: this.size };
    this.busy = true;
    this.post({ type: "view", view, id: ++this.asked });
  }

  private receive(drawn: Drawn): void {
    if (drawn.id !== this.asked) return drawn.bitmap.close();
    if (this.picture && this.picture !== this.overview) this.picture.bitmap.close();
    this.picture = drawn;
    if (drawn.complete) {
      this.busy = false;
      const k = drawn.view.camera.k / this.fitted;
      if (!this.overview && k < 1.3) this.overview = drawn;
      if (!this.covers()) this.request();
    }
    this.labelsStale = true;
    this.schedule();
  }

  private schedule(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  /** Where a picture lies in the window now: left, top, width, height. */
  private frameOf(drawn: Drawn): [number, number, number, number] {
    const { camera: c, size: s } = drawn.view;
    const [px, py] = toScreen(this.camera, this.size, ...toWorld(c, s, 0, 0));
    const f = this.camera.k / c.k;
    return [px, py, s.width * f, s.height * f];
  }

  private put(drawn: Drawn): void {
    this.ctx.drawImage(drawn.bitmap, ...this.frameOf(drawn));
  }

  /** The coarse picture of the whole, only where the fine one does not reach. */
  private putAround(overview: Drawn, fine: Drawn | null): void {
    const { ctx, size } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, size.width, size.height);
    if (fine) ctx.rect(...this.frameOf(fine));
    ctx.clip("evenodd");
    this.put(overview);
    ctx.restore();
  }

  private paint(): void {
    const { ctx, scene, size } = this;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, size.width, size.height);
    if (!scene) return;
    const chosen = this.selected.length > 0;
    ctx.globalAlpha = chosen ? 0.4 : 1;
    const p = this.picture;
    if (this.overview && this.overview !== p && !this.covers()) this.putAround(this.overview, p);
    if (p) this.put(p);
    ctx.globalAlpha = 1;
    const scale = radiusScale(this.camera.k, this.fitted, scene.x.length, size);
    const place = (i: number): [number, number] => toScreen(this.camera, size, scene.x[i]!, scene.y[i]!);
    const [forced, named] = this.overlay.marks(ctx, scene, this.selected, this.pinned, this.hovered, scale, place);
    if (!p) return;
    if (this.labelsStale && !this.moving()) {
      this.labels = placeLabels(scene, this.names, this.camera, size, this.fitted, (t) => this.measure(t), forced, named, MOST_LABELS, this.covered());
      this.labelsStale = false;
    }
    this.overlay.labels(ctx, this.labels, scene, scale, place, chosen ? new Set([...forced, ...named]) : null);
    this.framesDrawn++;
  }

  /** The covered parts in the canvas's own pixels. */
  private covered(): { x: number; y: number; width: number; height: number }[] {
    const origin = this.host.getBoundingClientRect();
    return (this.on.covered?.() ?? []).map((r) => ({ x: r.x - origin.x, y: r.y - origin.y, width: r.width, height: r.height }));
  }

  private moving(): boolean {
    return !!this.picture && !same(this.picture.view.camera, this.camera);
  }

  private measure(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      this.ctx.font = this.overlay.font;
      width = this.ctx.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  private nodeAt(px: number, py: number, slack: number): number {
    if (!this.scene || !this.picker) return -1;
    const [x, y] = toWorld(this.camera, this.size, px, py);
    const scale = radiusScale(this.camera.k, this.fitted, this.scene.x.length, this.size) / this.camera.k;
    return this.picker.node(x, y, slack / this.camera.k, (i) => this.scene!.radius[i]! * scale);
  }

  private edgeAt(px: number, py: number, slack: number): number {
    if (!this.picker) return -1;
    const [x, y] = toWorld(this.camera, this.size, px, py);
    const live = this.overlay.liveEdges;
    if (live.length && this.scene) {
      const near = this.picker.among(live, x, y, slack / this.camera.k);
      if (near >= 0) return near;
    }
    return this.picker.edge(x, y, slack / this.camera.k);
  }

  private click(px: number, py: number, touch: boolean): void {
    const node = this.nodeAt(px, py, touch ? 16 : 4);
    if (node >= 0) return this.on.select?.(node);
    const edge = this.edgeAt(px, py, touch ? 12 : 4);
    if (edge >= 0) return this.on.selectEdge?.(edge);
    this.on.clear?.();
  }

  private hover(px: number, py: number): void {
    const node = this.nodeAt(px, py, 3);
    const edge = node >= 0 ? -1 : this.edgeAt(px, py, 3);
    if (node !== this.hovered) {
      this.hovered = node;
      this.labelsStale = true;
      this.schedule();
    }
    this.host.classList.toggle("over", node >= 0 || edge >= 0);
    this.on.hover?.(node >= 0 || edge >= 0 ? { node, edge, x: px, y: py } : null);
  }

  private leave(): void {
    if (this.hovered >= 0) {
      this.hovered = -1;
      this.labelsStale = true;
      this.schedule();
    }
    this.on.hover?.(null);
  }
}

const same = (a: Camera, b: Camera): boolean => a.x === b.x && a.y === b.y && a.k === b.k;
