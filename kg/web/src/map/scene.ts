import type { Camera, Size } from "./camera";

/** What the drawing worker needs of a graph: flat arrays, most important nodes first. */
export interface Scene {
  x: Float32Array;
  y: Float32Array;
  /** Radius of each node relative to the mean one. */
  radius: Float32Array;
  /** Index into `shapes`. */
  shape: Uint8Array;
  /** Index into the palette. */
  color: Uint8Array;
  shown: Uint8Array;
  source: Uint32Array;
  target: Uint32Array;
  weight: Float32Array;
}

export const SHAPES = ["circle", "square", "diamond", "triangle", "hexagon", "ring", "star"] as const;
export type Shape = (typeof SHAPES)[number];

export interface Look {
  palette: string[];
  edge: string;
  outline: string;
}

export interface View {
  camera: Camera;
  /** Size of the drawn bitmap in CSS pixels (the window plus a margin). */
  size: Size;
  ratio: number;
  /** Pixels per unit at which the whole graph fits the window, and the window it fits. */
  fitted: number;
  window: Size;
}

export type ToWorker =
  | { type: "scene"; scene: Scene }
  | { type: "paint"; color: Uint8Array; shown: Uint8Array }
  | { type: "look"; look: Look }
  | { type: "view"; view: View; id: number };

export interface Drawn {
  type: "drawn";
  id: number;
  bitmap: ImageBitmap;
  view: View;
  complete: boolean;
  ms: number;
}
