import type { AnyEventObject } from 'xstate'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type {
  NotLoaded,
  SignInTaskCommand,
  PassphraseGenerationFact,
} from '../../machines/account/sign-in/sign-in.events.ts'
import { factActor } from '../fact-actor.ts'

/** Commands that all task actors accept. */
type CommonCommand = Extract<SignInTaskCommand, { readonly type: 'task.generate' | 'task.stop' }>

export type RunningTask<Command, Fact> = {
  readonly command: Command
  /** Aborted by the next task, by `task.stop`, or when the dialog closes. */
  readonly signal: AbortSignal
  /** Does nothing once the task is aborted. */
  readonly report: (fact: Fact) => void
}

/** Why a task failed: its code could not be loaded, or else `otherwise`. */
export function failureOf<Otherwise>(error: unknown, otherwise: Otherwise): NotLoaded | Otherwise {
  return error instanceof LoadError ? { kind: 'notLoaded', fault: error.fault } : otherwise
}

function isCommonCommand(command: AnyEventObject): command is CommonCommand {
  return command.type === 'task.generate' || command.type === 'task.stop'
}

/**
 * Runs one task with the user's secrets at a time; the next one aborts it. `open` creates the state of one actor and
 * returns the function that runs its tasks, which never rejects.
 */
export function taskActor<Command extends AnyEventObject, Fact extends AnyEventObject>(
  open: () => (piece: RunningTask<Command, Fact>) => Promise<void>,
) {
  return factActor<Command | CommonCommand, undefined, Fact | PassphraseGenerationFact>(({ report, receive }) => {
    const runTask = open()
    let latest = new AbortController()
    receive(command => {
      if (isCommonCommand(command) && command.type === 'task.generate') {
        void loadCode(() => import('./passphrase.ts')).then(
          ({ generatePassphrase }) =>
            report({ type: 'passphrase.generated', secrets: { passphrase: generatePassphrase() } }),
          (error: unknown) =>
            report({
              type: 'passphrase.generationFailed',
              fault: error instanceof LoadError ? error.fault : 'damaged',
            }),
        )
        return
      }
      latest.abort()
      if (isCommonCommand(command)) return
      latest = new AbortController()
      const { signal } = latest
      void runTask({
        command,
        signal,
        report: fact => {
          if (!signal.aborted) report(fact)
        },
      })
    })
    return () => latest.abort()
  })
}
