import type { AnyEventObject } from 'xstate'
import { LoadError } from '../../folding/shared/load-fault.ts'
import { loadCode } from '../../loading/load-code.ts'
import type { DeskCommand, PassphraseGenerated } from '../../machines/account/sign-in/sign-in.events.ts'
import { factActor } from '../fact-actor.ts'

/** What every desk is told besides its own work. */
type Usual = Extract<DeskCommand, { readonly type: 'desk.generate' | 'desk.stop' }>

export type Piece<Work, Fact> = {
  readonly command: Work
  /** Aborted when the work is called off: by other work, or since the dialog was left. */
  readonly signal: AbortSignal
  /** Tells nothing any more once the work is called off. */
  readonly report: (fact: Fact) => void
}

const isUsual = (command: AnyEventObject): command is Usual =>
  command.type === 'desk.generate' || command.type === 'desk.stop'

/**
 * Where one piece of work with somebody's passphrase is done at a time; other work calls it off. Keeps nothing of it.
 * `open` makes what a desk remembers while it stands, and answers how its work is done, which never rejects.
 */
export const desk = <Work extends AnyEventObject, Fact extends AnyEventObject>(
  open: () => (piece: Piece<Work, Fact>) => Promise<void>,
) =>
  factActor<Work | Usual, undefined, Fact | PassphraseGenerated>(({ report: tell, receive }) => {
    const doWork = open()
    let latest = new AbortController()
    receive(command => {
      if (isUsual(command) && command.type === 'desk.generate') {
        void loadCode(() => import('./passphrase.ts')).then(
          ({ generatePassphrase }) => tell({ type: 'passphrase.made', secrets: { passphrase: generatePassphrase() } }),
          (error: unknown) =>
            tell({ type: 'passphrase.notMade', fault: error instanceof LoadError ? error.fault : 'damaged' }),
        )
        return
      }
      latest.abort()
      if (isUsual(command)) return
      latest = new AbortController()
      const { signal } = latest
      void doWork({
        command,
        signal,
        report: fact => {
          if (!signal.aborted) tell(fact)
        },
      })
    })
    return () => latest.abort()
  })
