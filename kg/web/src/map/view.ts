import { fit, boxOf, radiusScale, toScreen, toWorld, zoomAt, type Camera, type Size } from "./camera";
import { listen } from "./gestures";
import { placeLabels, type Label } from "./labels";
import { Overlay } from "./overlay";
import { Picker } from "./pick";
import { fitBetween, Pictures } from "./pictures";
import type { Look, Scene } from "./scene";

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

const REST_MS = 110; // stillness after which the map is drawn afresh
const MOST_LABELS = 160;

/** The map: a picture drawn by a worker, moved as a whole while the user moves, redrawn at rest. */
export class MapView {
  readonly canvas: HTMLCanvasElement;
  private readonly ctx: CanvasRenderingContext2D;
  private readonly pictures: Pictures;
  private readonly unlisten: () => void;
  private readonly watch: ResizeObserver;
  private overlay: Overlay;
  private scene: Scene | null = null;
  private names: readonly string[] = [];
  private order: Uint32Array = new Uint32Array(0);
  private picker: Picker | null = null;
  size: Size = { width: 1, height: 1 };
  ratio = 1;
  camera: Camera = { x: 32768, y: 32768, k: 0.01 };
  fitted = 0.01;
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
    this.pictures = new Pictures(
      () => this,
      () => {
        this.labelsStale = true;
        this.schedule();
      },
    );
    this.pictures.tell({ type: "look", look });
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
    this.pictures.destroy();
    this.canvas.remove();
  }

  /** Shows another graph; the view fits it unless a camera is given or `keep` is set. */
  setScene(scene: Scene, names: readonly string[], order: Uint32Array, camera?: Camera, keep = false): void {
    this.scene = scene;
    this.names = names;
    this.order = order;
    this.picker = new Picker(scene);
    this.hovered = -1;
    this.pictures.tell({ type: "scene", scene }, !keep);
    this.refit();
    this.pending = camera ?? "fit";
    if (!keep || !this.started) this.place();
    this.request();
  }

  /** Colours or visibility changed, the graph did not. */
  repaint(): void {
    if (!this.scene) return;
    this.pictures.tell({ type: "paint", color: this.scene.color, shown: this.scene.shown });
    this.request();
  }

  setLook(look: Look): void {
    this.overlay = new Overlay(look);
    this.pictures.tell({ type: "look", look });
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
      complete: this.pictures.complete, frames: this.framesDrawn,
    };
  }

  screen(node: number): [number, number] {
    return toScreen(this.camera, this.size, this.scene!.x[node]!, this.scene!.y[node]!);
  }

  private fitCamera(): Camera {
    const { scene } = this;
    if (!scene) return this.camera;
    const shown: number[] = [];
    for (let i = 0; i < scene.x.length; i++) if (scene.shown[i]) shown.push(i);
    return fitBetween(boxOf(scene.x, scene.y, shown.length ? shown : undefined), this.size, this.covered());
  }

  private refit(): void {
    if (this.scene) this.fitted = fitBetween(boxOf(this.scene.x, this.scene.y), this.size, this.covered()).k;
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
    this.widths.clear(); // the type follows the window
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
    if (!this.pictures.busy && !this.pictures.covers()) this.request();
  }

  private request(): void {
    if (this.scene) this.pictures.request();
  }

  private schedule(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  private paint(): void {
    const { ctx, scene, size } = this;
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, size.width, size.height);
    if (!scene) return;
    const chosen = this.selected.length > 0;
    ctx.globalAlpha = chosen ? 0.4 : 1;
    this.pictures.put(ctx);
    ctx.globalAlpha = 1;
    const scale = radiusScale(this.camera.k, this.fitted, scene.x.length, size);
    const place = (i: number): [number, number] => toScreen(this.camera, size, scene.x[i]!, scene.y[i]!);
    const [forced, named] = this.overlay.marks(ctx, scene, this.selected, this.pinned, this.hovered, scale, place);
    if (!this.pictures.any) return;
    if (this.labelsStale && this.pictures.settled) {
      this.labels = placeLabels(scene, this.names, this.order, this.camera, size, this.fitted, (t) => this.measure(t), forced, named, MOST_LABELS, this.covered());
      this.labelsStale = false;
    }
    this.overlay.labels(ctx, this.labels, scene, size, scale, place, chosen ? new Set([...forced, ...named]) : null);
    this.framesDrawn++;
  }

  /** The covered parts in the canvas's own pixels. */
  private covered(): { x: number; y: number; width: number; height: number }[] {
    const origin = this.host.getBoundingClientRect();
    return (this.on.covered?.() ?? []).map((r) => ({ x: r.x - origin.x, y: r.y - origin.y, width: r.width, height: r.height }));
  }

  private measure(text: string): number {
    let width = this.widths.get(text);
    if (width === undefined) {
      this.ctx.font = Overlay.font(this.size);
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
