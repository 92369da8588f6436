/**
 * Cells of the globe: the six faces of a cube around it, recursively divided into quarters. Unlike
 * cells bounded by latitudes and longitudes, these cells have similar sizes everywhere. A cell's
 * key is the digit of its face, then one digit per division. The key begins with the keys of all
 * larger cells that contain the cell.
 */

/** Number of digits in the key of a smallest cell, which is less than a meter wide. */
export const smallestCellDigits = 25;
const faces = [0, 1, 2, 3, 4, 5];
const earthRadius = 6_371_008.8;

export interface Point {
  latitude: number;
  longitude: number;
}

/** A point on the unit sphere. */
type Vector = readonly [x: number, y: number, z: number];

const toRadians = (degrees: number) => (degrees * Math.PI) / 180;

function toVector({ latitude, longitude }: Point): Vector {
  const [phi, lambda] = [toRadians(latitude), toRadians(longitude)];
  const width = Math.cos(phi);
  return [width * Math.cos(lambda), width * Math.sin(lambda), Math.sin(phi)];
}

/** Returns the great-circle distance in meters. */
const getDistance = (one: Vector, other: Vector): number =>
  2 *
  earthRadius *
  Math.asin(Math.min(1, Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) / 2));

/** Returns the key of the smallest cell that contains a point. */
export function toCellKey(point: Point): string {
  const vector = toVector(point);
  const axis = [0, 1, 2].reduce((largest, n) =>
    Math.abs(vector[n] ?? 0) > Math.abs(vector[largest] ?? 0) ? n : largest,
  );
  const height = vector[axis] ?? 1;
  let key = String(axis + (height < 0 ? 3 : 0));
  let [u, v] = [vector[(axis + 1) % 3] ?? 0, vector[(axis + 2) % 3] ?? 0];
  for (let half = Math.abs(height) / 2; key.length < smallestCellDigits; half /= 2) {
    key += String((u >= 0 ? 2 : 0) + (v >= 0 ? 1 : 0));
    u += u >= 0 ? -half : half;
    v += v >= 0 ? -half : half;
  }
  return key;
}

export const isSmallestCell = (key: string): boolean => key.length === smallestCellDigits;

/**
 * Divides a cell into quarters recursively, `digits` times, and returns the keys of the resulting
 * cells. Does not divide cells of the smallest size.
 */
export const getInnerCells = (key: string, digits = 1): string[] =>
  digits === 0 || isSmallestCell(key)
    ? [key]
    : [...'0123'].flatMap((digit) => getInnerCells(key + digit, digits - 1));

/** Returns all cell keys of length `digits`. */
export const getCells = (digits: number): string[] =>
  faces.flatMap((face) => getInnerCells(String(face), digits - 1));

function getShape(key: string): { center: Vector; corners: Vector[] } {
  const face = Number(key[0]);
  let [u, v, half] = [0, 0, 1];
  for (const digit of key.slice(1)) {
    half /= 2;
    u += digit >= '2' ? half : -half;
    v += Number(digit) % 2 === 1 ? half : -half;
  }
  const toPoint = (du: number, dv: number) => fromFace(face, u + du, v + dv);
  return {
    center: toPoint(0, 0),
    corners: [-half, half].flatMap((du) => [-half, half].map((dv) => toPoint(du, dv))),
  };
}

function fromFace(face: number, u: number, v: number): Vector {
  const scale = 1 / Math.hypot(1, u, v);
  const coordinates = [(face < 3 ? 1 : -1) * scale, u * scale, v * scale];
  const [x = 0, y = 0, z = 0] = [0, 1, 2].map((n) => coordinates[(n - (face % 3) + 3) % 3]);
  return [x, y, z];
}

/**
 * Returns lower and upper bounds, in meters, of the distance between a point and any point of a
 * cell. The edges of a cell lie on great circles, so the point farthest from the center is a
 * corner.
 */
export function getDistanceBounds(point: Point, key: string): { min: number; max: number } {
  const { center, corners } = getShape(key);
  const radius = Math.max(...corners.map((corner) => getDistance(center, corner)));
  const distance = getDistance(toVector(point), center);
  return { min: Math.max(0, distance - radius), max: distance + radius };
}

/** Returns the distance in meters from a point to the center of a cell. */
export const getCellDistance = (point: Point, key: string): number =>
  getDistance(toVector(point), getShape(key).center);
