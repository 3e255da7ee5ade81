import { CARBON, NITROGEN, OXYGEN } from '../../src/folding/molecule/atoms.ts'

/** Ångström and degrees of an ideal α-helix: radius of each atom's own helix, its angle and height beside those of Cα. */
const PLACES = [
  { key: 'n', atomClass: NITROGEN, radius: 1.55, angle: -27.6, height: -0.87 },
  { key: 'ca', atomClass: CARBON, radius: 2.29, angle: 0, height: 0 },
  { key: 'c', atomClass: CARBON, radius: 1.61, angle: 26.4, height: 1.1 },
  { key: 'o', atomClass: OXYGEN, radius: 1.76, angle: 21.5, height: 2.3 },
] as const

const TURN = 100
const RISE = 1.5

/** The backbone of a right-handed α-helix along z, x, y and z of each atom in ångström. */
export function alphaHelix(count: number) {
  const residues = Array.from({ length: count }, (_, at) => ({
    n: at * 4,
    ca: at * 4 + 1,
    c: at * 4 + 2,
    o: at * 4 + 3,
  }))
  const places = residues.flatMap((_, at) =>
    PLACES.map(({ radius, angle, height }) => {
      const turn = ((at * TURN + angle) * Math.PI) / 180
      return [radius * Math.cos(turn), radius * Math.sin(turn), at * RISE + height]
    }),
  )
  return {
    residues,
    frame: Float32Array.from(places.flat()),
    classes: Uint8Array.from(residues.flatMap(() => PLACES.map(({ atomClass }) => atomClass))),
    bonds: Uint32Array.from(
      residues.flatMap(({ n, ca, c, o }, at) => [n, ca, ca, c, c, o, ...(at + 1 < count ? [c, n + 4] : [])]),
    ),
  }
}
