import { t, plural } from '@lingui/core/macro'
import type { Unit } from '../../protocol/client-data.ts'
import { formatCount, formatNumber } from '../shared/format.ts'
import type { Structure } from './structure.ts'
import { FRAME_BYTES, FRAME_CAP } from '../shared/memory-limits.ts'

/** What can be shown of a unit's molecule, or why nothing can. */
export type MoleculeCondition =
  'shown' | 'restoring' | 'away' | 'unknownUnit' | 'early' | 'awaited' | 'noPlaces' | 'noAtoms' | 'empty'

export type MoleculeFacts = {
  readonly structure: Structure
  /** As the machine reports it; undefined when it has none of that id. */
  readonly unit: Pick<Unit, 'frames'> | undefined
  readonly isConnected: boolean
  /** What this browser kept is being read. */
  readonly isRestoring: boolean
}

export const moleculeCondition = ({
  structure: { topology, trajectory },
  unit,
  isConnected,
  isRestoring,
}: MoleculeFacts): MoleculeCondition => {
  if (topology !== undefined && topology.names.length === 0) return 'empty'
  if (topology !== undefined) return trajectory.count > 0 ? 'shown' : 'noPlaces'
  if (trajectory.count > 0) return 'noAtoms'
  if (isRestoring) return 'restoring'
  if (!isConnected) return 'away'
  if (unit === undefined) return 'unknownUnit'
  return (unit.frames ?? 0) > 0 ? 'awaited' : 'early'
}

export type ConditionWords = { readonly title: string; readonly text: string }

/** Why there is nothing to draw, and what may change that. */
export const conditionWords = (condition: Exclude<MoleculeCondition, 'shown'>, refused: number): ConditionWords => {
  switch (condition) {
    case 'restoring':
      return { title: t`Loading the molecule…`, text: t`What this browser has kept of it is being read.` }
    case 'awaited':
      return { title: t`Loading the molecule…`, text: t`The machine has frames of it and was asked to send them.` }
    case 'away':
      return {
        title: t`The machine is not connected`,
        text: t`Its molecule appears here as soon as the machine is back.`,
      }
    case 'unknownUnit':
      return {
        title: t`This work unit is not on the machine`,
        text: t`It may be finished. This browser has kept nothing of its molecule.`,
      }
    case 'early':
      return {
        title: t`No frames yet`,
        text: t`The core writes the first frame some time after it has begun to run. It appears here by itself.`,
      }
    case 'noPlaces':
      return {
        title: t`The atoms have no places`,
        text:
          refused === 0
            ? t`The machine has sent which atoms there are, but no frame that says where they are.`
            : t`The machine has sent which atoms there are, but ${formatCount(refused, 'frame')} of another number of atoms.`,
      }
    case 'noAtoms':
      return {
        title: t`Frames without a molecule`,
        text: t`The machine has sent places, but not which atoms stand there.`,
      }
    case 'empty':
      return {
        title: t`A molecule without atoms`,
        text: t`The machine says that this unit’s molecule has 0 atoms, so there is nothing to draw.`,
      }
  }
}

/** What must be said beside a molecule that is shown. `fault`: what was wrong with something that the machine sent. */
export const moleculeNotes = (
  { structure, unit, isConnected }: MoleculeFacts,
  positions: Float32Array | undefined,
  fault: string | undefined,
): readonly string[] => {
  const placeless = positions === undefined ? 0 : countPlaceless(positions)
  return [
    ...(isConnected ? [] : [t`The machine is not connected: these are the frames that it sent before.`]),
    ...(isConnected && unit === undefined
      ? [t`This unit is no longer on the machine: these are the frames that this browser has kept.`]
      : []),
    ...(structure.refused > 0
      ? [
          t`${plural(structure.refused, { one: '# frame', other: '# frames' })} cannot be shown: of another number of atoms, or beyond what is kept (${formatNumber(FRAME_CAP)} frames, ${FRAME_BYTES / 1024 / 1024} MB).`,
        ]
      : []),
    ...(placeless > 0
      ? [
          plural(placeless, {
            one: '# atom without a place in this frame is not drawn.',
            other: '# atoms without a place in this frame are not drawn.',
          }),
        ]
      : []),
    ...(fault === undefined ? [] : [t`Part of what the machine sent cannot be used. ${fault}.`]),
  ]
}

const placelessIn = new WeakMap<Float32Array, number>()

const countPlaceless = (positions: Float32Array): number => {
  const known = placelessIn.get(positions)
  if (known !== undefined) return known
  let count = 0
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x = NaN, y = NaN, z = NaN] = [positions[at], positions[at + 1], positions[at + 2]]
    if (!Number.isFinite(x + y + z)) count++
  }
  placelessIn.set(positions, count)
  return count
}
