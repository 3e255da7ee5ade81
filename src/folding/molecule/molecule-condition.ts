import { t, plural } from '@lingui/core/macro'
import { computedOnce } from '../shared/computed-once.ts'
import { formatNumber } from '../text/format.ts'
import type { Structure } from './structure.ts'
import { MAX_FRAME_BYTES, MAX_FRAMES } from '../shared/memory-limits.ts'

/** 'shown', or why a unit's molecule cannot be shown. */
export type MoleculeCondition =
  | 'shown'
  | 'restoring'
  | 'disconnected'
  | 'unknownUnit'
  | 'noFrames'
  | 'requested'
  | 'noPositions'
  | 'noAtoms'
  | 'empty'

export type MoleculeStatus = {
  readonly structure: Structure
  /** How many frames the client has of the unit; undefined when it has no such unit. */
  readonly frames: number | undefined
  readonly isConnected: boolean
  /** Whether it is loading, not disconnected. */
  readonly isAwaited: boolean
  /** Stored frames are being read. */
  readonly isRestoring: boolean
}

export function moleculeCondition({
  structure: { topology, trajectory },
  frames,
  isConnected,
  isAwaited,
  isRestoring,
}: MoleculeStatus): MoleculeCondition {
  if (topology !== undefined && topology.names.length === 0) return 'empty'
  if (topology !== undefined) return trajectory.count > 0 ? 'shown' : 'noPositions'
  if (trajectory.count > 0) return 'noAtoms'
  if (isRestoring) return 'restoring'
  if (!isConnected) return isAwaited ? 'requested' : 'disconnected'
  if (frames === undefined) return 'unknownUnit'
  return frames > 0 ? 'requested' : 'noFrames'
}

export type ConditionText = { readonly title: string; readonly text: string }

/** Title and explanation for a molecule that cannot be shown. `refused`: number of frames that did not fit. */
export function conditionText(condition: Exclude<MoleculeCondition, 'shown'>, refused: number): ConditionText {
  switch (condition) {
    case 'restoring':
      return { title: t`Loading the molecule…`, text: t`Reading what is stored in this browser.` }
    case 'requested':
      return { title: t`Loading the molecule…`, text: t`Waiting for the frames from the machine.` }
    case 'disconnected':
      return {
        title: t`The machine is not connected`,
        text: t`The molecule appears here when the machine is connected again.`,
      }
    case 'unknownUnit':
      return {
        title: t`This work unit is not on the machine`,
        text: t`It may be finished. Nothing of its molecule is stored in this browser.`,
      }
    case 'noFrames':
      return {
        title: t`No frames yet`,
        text: t`The core writes the first frame some time after it starts. It will appear here automatically.`,
      }
    case 'noPositions':
      return {
        title: t`No positions`,
        text:
          refused === 0
            ? t`The machine sent the atoms, but no frame with their positions.`
            : plural(refused, {
                one: 'The machine sent the atoms, but # frame with a different number of atoms.',
                other: 'The machine sent the atoms, but # frames with a different number of atoms.',
              }),
      }
    case 'noAtoms':
      return {
        title: t`No atoms`,
        text: t`The machine sent positions, but not the atoms.`,
      }
    case 'empty':
      return {
        title: t`Empty molecule`,
        text: t`The machine reports 0 atoms for this work unit, so there is nothing to draw.`,
      }
  }
}

/** Notes beside a shown molecule. `fault`: what was wrong with the client's data. */
export function moleculeNotes(
  { structure, frames, isConnected, isAwaited }: MoleculeStatus,
  positions: Float32Array | undefined,
  fault: string | undefined,
): readonly string[] {
  const missing = positions === undefined ? 0 : countWithoutPosition(positions)
  return [
    isConnected || isAwaited ? undefined : t`The machine is not connected. Showing the frames it sent before.`,
    isConnected && frames === undefined
      ? t`This work unit is no longer on the machine. Showing the frames stored in this browser.`
      : undefined,
    structure.refused > 0
      ? t`${plural(structure.refused, { one: '# frame', other: '# frames' })} cannot be shown: wrong number of atoms, or over the limit (${formatNumber(MAX_FRAMES)} frames, ${MAX_FRAME_BYTES / 1024 / 1024} MB).`
      : undefined,
    missing > 0
      ? plural(missing, {
          one: '# atom has no position in this frame and is not drawn.',
          other: '# atoms have no position in this frame and are not drawn.',
        })
      : undefined,
    fault === undefined ? undefined : t`Some of the machine’s data is invalid. ${fault}.`,
  ].filter(note => note !== undefined)
}

const countWithoutPosition = computedOnce((positions: Float32Array) => {
  let count = 0
  for (let at = 0; at + 2 < positions.length; at += 3) {
    const [x = NaN, y = NaN, z = NaN] = [positions[at], positions[at + 1], positions[at + 2]]
    if (!Number.isFinite(x + y + z)) count++
  }
  return count
})
