import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { factActor } from '../../actors/fact-actor.ts'
import { saveActor } from '../../journal/checkpoint.ts'
import { createMask } from '../../journal/mask.ts'
import type { RecordedEntry, Recording } from '../../journal/recording.ts'
import { startReplay, type Replay } from '../../journal/replay.ts'
import { workBetweenCheckpoints } from '../../journal/checkpoint-spacing.ts'
import type { PlayerFact, ProjectorCommand } from '../../machines/screens/player/player.events.ts'
import { SECRET_NAMES } from '../../protocol/secret-names.ts'

export type ProjectorDeps = {
  /** The root's machine, without effects. */
  readonly machine: AnyStateMachine
  readonly recording: Recording
  /** Shows another system. */
  readonly show: (replay: Replay) => void
  /** Milliseconds, for the playback speed. */
  readonly now: () => number
}

const FRAME = 50
/**
 * Moving forward by up to this many events continues the same system, so that open dialogs and the focus stay: enough
 * for fast playback, and cheaper than restoring a checkpoint.
 */
function maxStepsForward(actors: number): number {
  return 200 + Math.floor(actors / 4)
}
/** Pauses longer than this, in milliseconds of the recording, are skipped. */
const LONGEST_PAUSE = 2000
/** Events that screens send by themselves, not after a user action. */
const BACKGROUND_EVENTS =
  /^(?:client\.(?:openSettings|closeSettings)|resource\.\w+|verify\.begin|preferences\.preview|molecules\.allow|viewer\.(?:setReducedMotion|webglMissing))$|\.(?:watch|unwatch|want|release|describe|open|shown|close|leave)$/

function yieldToPage(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}

/** Adds checkpoints to a recording, so that no moment is far from one. Throws when it does not fit the machines. */
export async function withCheckpoints(machine: AnyStateMachine, recording: Recording): Promise<Recording> {
  const [first] = recording.checkpoints
  if (first === undefined) throw new Error('A recording begins with a checkpoint.')
  if (recording.checkpoints.length > 1) return recording
  const checkpoints = [first]
  const mask = createMask(SECRET_NAMES)
  const replay = startReplay(machine, first)
  let due = 0
  for (const entry of recording.entries) {
    if (replay.work() >= due) {
      const { saved, actors } = saveActor(replay.root, mask)
      if (entry.seq > first.seq) checkpoints.push({ seq: entry.seq, at: entry.at, root: saved })
      due = replay.work() + workBetweenCheckpoints(actors)
      await yieldToPage()
    }
    replay.deliver(entry)
  }
  return { ...recording, checkpoints }
}

/** Moves to any moment of a recording: forward from the current one if it is near, else from the checkpoint before it. */
export function createReplaySeeker(
  { machine, recording: { checkpoints, entries }, show }: ProjectorDeps,
  ignored: (event: AnyEventObject) => void,
) {
  const base = checkpoints[0]?.seq ?? 0
  let replay: Replay | undefined
  let position = 0
  let near = 0
  const replayFrom = (target: number): Replay => {
    const checkpoint = checkpoints.findLast(({ seq }) => seq - base <= target)
    if (checkpoint === undefined) throw new Error('A recording begins with a checkpoint.')
    position = checkpoint.seq - base
    const begun = startReplay(machine, checkpoint, { ignored })
    near = maxStepsForward(begun.work())
    return begun
  }
  return {
    position: () => position,
    goTo: (target: number): RecordedEntry | undefined => {
      const shown = target >= position && target - position <= near ? replay : undefined
      replay = shown ?? replayFrom(target)
      for (; position < target; position++) {
        const entry = entries[position]
        if (entry !== undefined) replay.deliver(entry)
      }
      // Only at the target, since screens would render every event on the way.
      if (shown === undefined) show(replay)
      return entries[position - 1]
    },
  }
}

/** Plays a recording. */
export function projector(deps: ProjectorDeps) {
  return factActor<ProjectorCommand, undefined, PlayerFact>(({ report, receive }) => {
    const { entries, checkpoints } = deps.recording
    const from = checkpoints[0]?.at ?? 0
    const travel = createReplaySeeker(deps, event => {
      if (!BACKGROUND_EVENTS.test(event.type)) report({ type: 'player.ignored' })
    })
    let timer: ReturnType<typeof setInterval> | undefined
    let time = from
    const goTo = (target: number): void => {
      time = travel.goTo(target)?.at ?? from
      report({ type: 'player.reached', position: travel.position(), at: time })
    }
    const pause = (): void => clearInterval(timer)
    const play = (speed: number): void => {
      let last = deps.now()
      pause()
      timer = setInterval(() => {
        const now = deps.now()
        time += (now - last) * speed
        last = now
        const next = entries[travel.position()]
        if (next === undefined) {
          report({ type: 'player.ended' })
          return
        }
        if (next.at - time > LONGEST_PAUSE) time = next.at
        let target = travel.position()
        while ((entries[target]?.at ?? Infinity) <= time) target++
        travel.goTo(target)
        report({ type: 'player.reached', position: target, at: time })
      }, FRAME)
    }
    goTo(0)
    receive(command => {
      switch (command.type) {
        case 'projector.go':
          goTo(command.position)
          break
        case 'projector.play':
          play(command.speed)
          break
        case 'projector.pause':
          pause()
          break
      }
    })
    return pause
  })
}
