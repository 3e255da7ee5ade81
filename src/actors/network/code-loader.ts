import { LoadError } from '../../folding/shared/load-fault.ts'
import type { PartName } from '../../machines/app/app.parts.ts'
import type { CodeCommand, CodeFact } from '../../machines/app/code.events.ts'
import { factActor } from '../fact-actor.ts'

/** Loads parts of the app. `load` makes the actors of a part known to the app, and rejects with a `LoadError`. */
export function codeLoader(load: (part: PartName) => Promise<void>) {
  return factActor<CodeCommand, undefined, CodeFact>(({ report, receive }) => {
    const loaded = new Set<PartName>()
    receive(({ part }) => {
      if (loaded.has(part)) return
      loaded.add(part)
      load(part).then(
        () => report({ type: 'code.arrived', part }),
        (error: unknown) => {
          loaded.delete(part)
          // An error that the loaded code throws itself is a mistake in this version.
          report({ type: 'code.failed', part, fault: error instanceof LoadError ? error.fault : 'damaged' })
        },
      )
    })
    return () => undefined
  })
}
