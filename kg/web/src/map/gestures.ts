/** Mouse, touch, wheel and keys on the map, told as a few plain events. */
export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(px: number, py: number, factor: number): void;
  click(px: number, py: number, touch: boolean): void;
  open(px: number, py: number): void;
  hover(px: number, py: number): void;
  leave(): void;
  fit(): void;
}

const STEP = 60;
const CLICK = 5; // pixels a pointer may wander and still click

export function listen(element: HTMLElement, on: Gestures): () => void {
  const stop = new AbortController();
  const signal = stop.signal;
  const pointers = new Map<number, { x: number; y: number }>();
  let moved = 0;

  const place = (e: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = element.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const add = (type: string, fn: (e: never) => void, options: AddEventListenerOptions = {}): void =>
    element.addEventListener(type, fn as EventListener, { ...options, signal });

  add("pointerdown", (e: PointerEvent) => {
    if (e.button !== 0) return;
    element.setPointerCapture(e.pointerId);
    pointers.set(e.pointerId, place(e));
    if (pointers.size === 1) moved = 0;
  });
  add("pointermove", (e: PointerEvent) => {
    const now = place(e);
    const before = pointers.get(e.pointerId);
    if (!before) {
      if (e.pointerType === "mouse") on.hover(now.x, now.y);
      return;
    }
    if (pointers.size === 1) {
      moved += Math.hypot(now.x - before.x, now.y - before.y);
      if (moved > CLICK) on.pan(now.x - before.x, now.y - before.y);
    } else {
      const other = [...pointers].find(([id]) => id !== e.pointerId)![1];
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      moved = Infinity;
      if (was > 1) on.zoom((now.x + other.x) / 2, (now.y + other.y) / 2, is / was);
      on.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    }
    pointers.set(e.pointerId, now);
  });
  const up = (e: PointerEvent): void => {
    if (!pointers.delete(e.pointerId) || pointers.size) return;
    const at = place(e);
    if (e.type === "pointerup" && moved <= CLICK) on.click(at.x, at.y, e.pointerType !== "mouse");
  };
  add("pointerup", up);
  add("pointercancel", up);
  add("pointerleave", () => on.leave());
  add("dblclick", (e: MouseEvent) => {
    const at = place(e);
    on.open(at.x, at.y);
  });
  add(
    "wheel",
    (e: WheelEvent) => {
      e.preventDefault();
      const at = place(e);
      const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
      on.zoom(at.x, at.y, Math.exp(-Math.max(-300, Math.min(300, e.deltaY * unit)) * (e.ctrlKey ? 0.01 : 0.002)));
    },
    { passive: false },
  );
  add("keydown", (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const middle = [element.clientWidth / 2, element.clientHeight / 2] as const;
    const far = e.shiftKey ? 4 * STEP : STEP;
    switch (e.key) {
      case "ArrowLeft": on.pan(far, 0); break;
      case "ArrowRight": on.pan(-far, 0); break;
      case "ArrowUp": on.pan(0, far); break;
      case "ArrowDown": on.pan(0, -far); break;
      case "+": case "=": on.zoom(...middle, 1.4); break;
      case "-": case "_": on.zoom(...middle, 1 / 1.4); break;
      case "0": on.fit(); break;
      default: return;
    }
    e.preventDefault();
  });
  return () => stop.abort();
}
