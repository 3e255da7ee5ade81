import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { factActor } from '../../actors/fact-actor.ts'
import { saveActor } from '../../journal/checkpoint.ts'
import { createMask } from '../../journal/mask.ts'
import type { Entry, Recording } from '../../journal/recording.ts'
import { startReplay, type Replay } from '../../journal/replay.ts'
import { WORK_BETWEEN_CHECKPOINTS } from '../../journal/work.ts'
import type { PlayerFact, ProjectorCommand } from '../../machines/screens/player/player.events.ts'
import { SECRET_NAMES } from '../../protocol/secret-names.ts'

export type ProjectorDeps = {
  /** The root's machine, without effects. */
  readonly machine: AnyStateMachine
  readonly recording: Recording
  /** Another system is to be looked at. */
  readonly show: (replay: Replay) => void
  /** Milliseconds, for the pace. */
  readonly now: () => number
}

const FRAME = 50
/** Nobody wants to watch for longer than this, in milliseconds of the recording, how nothing happens. */
const LONGEST_PAUSE = 2000
/** Sent by screens on their own, not by somebody who pressed something. */
const QUIET = /^(?:client\.(?:watch|unwatch|openSettings|closeSettings)|resource\.\w+|verify\.begin|reset\.open|preferences\.preview)$|\.(?:watch|unwatch|want|open|close|leave)$/

const breathe = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** The recording with checkpoints on its way, so that no moment is far from one. Throws when it does not fit the machines. */
export const withCheckpoints = async (machine: AnyStateMachine, recording: Recording): Promise<Recording> => {
  const [first] = recording.checkpoints
  if (first === undefined) throw new Error('A recording begins with a checkpoint.')
  if (recording.checkpoints.length > 1) return recording
  const checkpoints = [first]
  const mask = createMask(SECRET_NAMES)
  const replay = startReplay(machine, first)
  let workBefore = replay.work()
  for (const entry of recording.entries) {
    if (replay.work() - workBefore >= WORK_BETWEEN_CHECKPOINTS) {
      checkpoints.push({ seq: entry.seq, at: entry.at, root: saveActor(replay.root, mask).saved })
      workBefore = replay.work()
      await breathe()
    }
    replay.deliver(entry)
  }
  return { ...recording, checkpoints }
}

/** Goes to any moment of a recording: from where it is when that is near, else from the checkpoint before it. */
export const createTravel = ({ machine, recording: { checkpoints, entries }, show }: ProjectorDeps, ignored: (event: AnyEventObject) => void) => {
  const base = checkpoints[0]?.seq ?? 0
  let replay: Replay | undefined
  let position = 0
  const lastBefore = (target: number): number => checkpoints.findLastIndex(({ seq }) => seq - base <= target)
  return {
    position: () => position,
    goTo: (target: number): Entry | undefined => {
      const nearest = lastBefore(target)
      const checkpoint = checkpoints[nearest]
      if (checkpoint === undefined) throw new Error('A recording begins with a checkpoint.')
      if (replay === undefined || target < position || nearest > lastBefore(position) + 1) {
        replay = startReplay(machine, checkpoint, { ignored })
        position = checkpoint.seq - base
        show(replay)
      }
      for (; position < target; position++) {
        const entry = entries[position]
        if (entry !== undefined) replay.deliver(entry)
      }
      return entries[position - 1]
    },
  }
}

/** Shows a recording, moment by moment. */
export const projector = (deps: ProjectorDeps) =>
  factActor<ProjectorCommand, undefined, PlayerFact>(({ report, receive }) => {
    const { entries, checkpoints } = deps.recording
    const from = checkpoints[0]?.at ?? 0
    const travel = createTravel(deps, event => {
      if (!QUIET.test(event.type)) report({ type: 'player.ignored' })
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
        case 'projector.go': goTo(command.position); break
        case 'projector.play': play(command.speed); break
        case 'projector.pause': pause(); break
      }
    })
    return pause
  })
