import * as v from 'valibot'
import { bodyOf, sharedAnswer, sharedOf, type SharedChange } from '../../folding/fleet/shared.ts'
import { parseViews } from '../../folding/fleet/saved-views.ts'
import { parseProcessorNotes } from '../../folding/client/processor-notes.ts'
import { parsePower } from '../../folding/power/power.ts'
import { parseTags } from '../../folding/fleet/tags.ts'
import type { ChangeResult, SharedReply } from '../../machines/server/shared/shared.events.ts'
import { storedValue, POWER_KEY, PROCESSORS_KEY, TAGS_KEY, VIEWS_KEY } from '../storage/kept-value.ts'
import { callServer, refusalOf, type CallDeps } from './server-call.ts'

export type ServerSharedDeps = CallDeps & { readonly storage: Pick<Storage, 'getItem' | 'setItem'> | undefined }

const PATH = '/api/server/shared'
/** Says that the server was given what this browser kept itself. */
const GIVEN_KEY = 'foldboard.given'

/** Tags, views and settings of power that the server of this page keeps. Never rejects. */
export function serverShared(deps: ServerSharedDeps) {
  const { storage } = deps
  const send = async (change: SharedChange | undefined): Promise<ChangeResult> => {
    if (change === undefined) return { kind: 'taken' }
    const got = await callServer(deps, PATH, bodyOf(change))
    if (got === undefined) return { kind: 'unreachable' }
    return got.status === 200 ? { kind: 'taken' } : { kind: 'refused', reason: refusalOf(got) }
  }
  return {
    send,
    read: async (): Promise<SharedReply> => {
      const answer = v.safeParse(sharedAnswer, (await callServer(deps, PATH))?.content)
      const shared = answer.success ? sharedOf(answer.output) : undefined
      return shared === undefined ? { kind: 'unreachable' } : { kind: 'known', shared }
    },
    /** Once in each browser. What the server has of the same name stays. */
    giveOwn: async (): Promise<undefined> => {
      if (storedValue(storage, GIVEN_KEY, value => (value === true ? value : undefined)) === true) return
      const tags = storedValue(storage, TAGS_KEY, parseTags)
      const views = storedValue(storage, VIEWS_KEY, parseViews)
      const power = storedValue(storage, POWER_KEY, parsePower)
      const processors = storedValue(storage, PROCESSORS_KEY, parseProcessorNotes)
      const changes: SharedChange[] = [
        ...(tags === undefined ? [] : [{ type: 'tags.import', tags, mode: 'merge' } as const]),
        ...(views === undefined ? [] : [{ type: 'views.import', views, mode: 'missing' } as const]),
        ...(power === undefined ? [] : [{ type: 'power.import', power } as const]),
        ...(processors === undefined ? [] : [{ type: 'processors.import', processors } as const]),
      ]
      for (const change of changes) if ((await send(change)).kind !== 'taken') return
      try {
        storage?.setItem(GIVEN_KEY, 'true')
      } catch {
        // Storage is full or forbidden: they are given again, which changes nothing.
      }
    },
  }
}
