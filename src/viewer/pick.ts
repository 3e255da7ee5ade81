import type { Gpu } from './gpu.ts'
import type { Sheet, View } from './painter.ts'
import type { Molecule } from './viewer.types.ts'

/** CSS pixels around the place in which an atom is still meant. */
const ROOM = 5

/** The atom that the last picture shows there, or the nearest one around; of a bond, the end that it was seen for. */
export const pickAtom = (gpu: Gpu, sheet: Sheet, molecule: Molecule | undefined, [x, y]: readonly [number, number], view: View): number => {
  const atoms = molecule?.names.length ?? 0
  const scale = (sheet.width / Math.max(1, view.width)) * view.ratio
  const [atX, atY] = [Math.floor(x * scale), sheet.height - 1 - Math.floor(y * scale)]
  const room = Math.max(1, Math.round(ROOM * scale))
  const [left, bottom] = [Math.max(0, atX - room), Math.max(0, atY - room)]
  const [width, height] = [Math.min(sheet.width, atX + room + 1) - left, Math.min(sheet.height, atY + room + 1) - bottom]
  if (!(width > 0 && height > 0)) return -1
  const pixels = readSeen(gpu, sheet, left, bottom, width, height)
  let found = 0
  let nearest = room * room
  for (let at = 0; at < width * height; at++) {
    const seen = pixels[at * 4] ?? 0
    if (seen === 0) continue
    const [dx, dy] = [left + (at % width) - atX, bottom + Math.floor(at / width) - atY]
    const square = dx * dx + dy * dy
    if (square > nearest || (square === nearest && found !== 0)) continue
    nearest = square
    found = seen
  }
  if (found === 0) return -1
  return found <= atoms ? found - 1 : -1
}

/** Numbers of atoms (from 1) and bonds, four integers a pixel, the first of which counts. */
const readSeen = ({ gl, into }: Gpu, { seen }: Sheet, x: number, y: number, width: number, height: number): Uint32Array => {
  const pixels = new Uint32Array(width * height * 4)
  into(seen)
  gl.readPixels(x, y, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, pixels)
  return pixels
}
