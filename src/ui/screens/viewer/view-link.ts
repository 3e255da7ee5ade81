import { colorings, drawStyleOf, type Coloring, type DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import type { Camera } from '../../../viewer/viewer.types.ts'

/** What an address says of the view of a molecule. */
export type LinkedView = {
  readonly style: DrawStyle | undefined
  readonly coloring: Coloring | undefined
  readonly residue: number | undefined
  readonly hasGhost: boolean
  readonly camera: Camera | undefined
}

/** The part of the address after `?`. */
export function queryOf({ style, coloring, residue, hasGhost, camera }: LinkedView): string {
  const entries = {
    style,
    color: coloring,
    residue,
    ghost: hasGhost ? 1 : undefined,
    camera:
      camera === undefined
        ? undefined
        : [...camera.rotation, ...camera.pivot, camera.distance, ...camera.pan].map(value => +value.toFixed(4)).join(),
  }
  return Object.entries(entries)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]))
    .join('&')
}

/** What is not there or not valid is undefined. */
export function linkedView(query: string): LinkedView {
  const params = new URLSearchParams(query)
  const residue = Number(params.get('residue'))
  return {
    style: drawStyleOf(Number(params.get('style'))),
    coloring: colorings.find(({ coloring }) => coloring === params.get('color'))?.coloring,
    residue: Number.isInteger(residue) && residue > 0 ? residue : undefined,
    hasGhost: params.has('ghost'),
    camera: cameraOf((params.get('camera') ?? '').split(',').map(Number)),
  }
}

function cameraOf(values: readonly number[]): Camera | undefined {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0, z = 0, distance = 0, right = 0, up = 0] = values
  return values.length === 10 && values.every(Number.isFinite) && distance > 0
    ? { rotation: [a, b, c, d], pivot: [x, y, z], distance, pan: [right, up] }
    : undefined
}
