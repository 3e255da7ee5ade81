import { createActor } from 'xstate'
import { fingerprintOf } from '../../journal/fingerprint.ts'
import { fromFile, toFile, type FileFault } from '../../journal/file.ts'
import type { Mask } from '../../journal/mask.ts'
import type { Recording } from '../../journal/recording.ts'
import { withoutEffects } from '../../journal/replay.ts'
import type { AppRef } from '../../machines/app/app.machine.ts'
import { playerMachine, type PlayerRef } from '../../machines/screens/player/player.machine.ts'
import { type System, systemOf } from '../../machines/app/system.ts'
import { completeApp } from './complete-app.ts'
import { kinds } from './kinds.ts'
import { projector, withCheckpoints } from './projector.ts'
import { timelineOf } from './timeline.ts'

const machine = withoutEffects(completeApp)
const machines = fingerprintOf(completeApp)

type Opening = {
  /** Shows the system at another moment. */
  readonly show: (system: System) => void
  readonly now: () => number
}

/** A player at the first moment. Throws when the recording does not fit these machines. */
export async function openRecording(
  recording: Recording,
  isExact: boolean,
  { show, now }: Opening,
): Promise<PlayerRef> {
  const indexed = await withCheckpoints(machine, recording)
  return createActor(
    playerMachine.provide({
      actors: {
        projector: projector({
          machine,
          recording: indexed,
          show: ({ root }) => show(systemOf(root as AppRef)),
          now,
        }),
      },
    }),
    { input: timelineOf(indexed, isExact) },
  ).start()
}

/** Opens an untrusted file, at its mark if it has one. */
export async function openFile(file: Blob, opening: Opening): Promise<PlayerRef | FileFault> {
  const opened = await fromFile(file, { kinds, machines })
  if (!opened.ok) return opened.fault
  try {
    const player = await openRecording(opened.recording, opened.isExact, opening)
    const { mark } = opened.recording
    if (mark !== undefined) player.send({ type: 'player.seek', at: mark.at })
    return player
  } catch {
    return opened.isExact ? 'damaged' : 'other-version'
  }
}

export function saveFile(recording: Recording, mask: Mask, usesPseudonyms: boolean): Promise<Blob> {
  return toFile(recording, { kinds, machines, clean: mask.clean, usesPseudonyms })
}
