import type { PeptideFold, PathStep } from './folds.ts'
import type { Torsions } from './layout.ts'
import { noise } from './noise.ts'

/** Torsions of an extended chain in degrees; prolines keep the phi of their ring. */
const EXTENDED = { phi: -135, psi: 140, prolinePhi: -70 } as const

/** Share of the path that one residue takes. */
const OWN_SHARE = 0.4

function smooth(share: number): number {
  const x = Math.max(0, Math.min(1, share))
  return x * x * (3 - 2 * x)
}

/** Interpolates between two torsions, in the shorter direction. */
function between(from: number, to: number, share: number): number {
  return from + (((((to - from + 540) % 360) + 360) % 360) - 180) * share
}

function bump(share: number): number {
  return Math.sin(Math.PI * share)
}

const NO_STEP: PathStep = [0, 0, 0, 0, 0]

/** Scale of the thermal motion in degrees: larger for an unfolded chain. */
function motionScale(progress: number): number {
  return 1 + 3 * (1 - progress)
}

function residueAt(fold: PeptideFold, residue: number, share: number, seed: number) {
  const isProline = fold.sequence[residue] === 'P'
  const [phi, psi] = fold.backbone[residue] ?? [EXTENDED.phi, EXTENDED.psi]
  const [start, phiOut, psiOut, chiAtStart, chiMidway] = fold.path[residue] ?? NO_STEP
  const progress = smooth((share - start) / OWN_SHARE)
  const stiffness = isProline ? 0.2 : 1
  const heat = (name: string, pace: number): number =>
    motionScale(progress) * noise(seed, `${name}${residue}`, share * pace)
  const chiShift = chiAtStart * (1 - smooth(share / 0.9)) + chiMidway * bump(Math.max(0, Math.min(1, share)))
  return {
    phi:
      between(isProline ? EXTENDED.prolinePhi : EXTENDED.phi, phi, progress) +
      stiffness * (phiOut * bump(progress) + heat('phi', 12)),
    psi: between(EXTENDED.psi, psi, progress) + psiOut * bump(progress) + heat('psi', 12),
    omega: 180 + noise(seed, `omega${residue}`, share * 12),
    chi: (fold.sideChains[residue] ?? []).map((chi, index) =>
      isProline ? chi : chi + (index === 0 ? chiShift : 0) + 2 * heat(`chi${index}.`, 20),
    ),
  }
}

/**
 * Torsions of `fold` in degrees at `share` of the path from extended (0) to folded (1). The seed determines the thermal
 * motion, so trajectories of units differ.
 */
export function torsionsAt(fold: PeptideFold, share: number, seed: number): Torsions {
  const residues = Array.from(fold.sequence, (_, residue) => residueAt(fold, residue, share, seed))
  return {
    phi: residues.map(({ phi }) => phi),
    psi: residues.map(({ psi }) => psi),
    omega: residues.map(({ omega }) => omega),
    chi: residues.map(({ chi }) => chi),
  }
}
