import type { Kysely } from 'kysely'
import * as v from 'valibot'
import {
  inputName,
  schedulesSchema,
  subjectKey,
  type Schedule,
  type Subject,
} from '../../../src/folding/schedule/schedule.ts'
import { parsedJson } from '../../../src/folding/shared/read.ts'
import type { Conditions } from '../../../src/folding/schedule/decide.ts'
import { instant, savedSchema, type Saved } from '../machines/schedule/saved.ts'
import type { KeptSchedules } from '../machines/schedules/schedules.events.ts'
import type { Write } from './write.ts'
import { createPauses } from '../event-loop.ts'
import { partsOf, replaceRows } from './rows.ts'
import type { Tables } from './schema.ts'

export type KeptSubject = { readonly subject: Subject; readonly saved?: Saved | undefined }

/** What is kept of schedules. Every call is one transaction. */
export type ScheduleStore = {
  /** What of it cannot be read is left out. `now`: the time of a first start, epoch milliseconds. */
  readonly load: (now: number) => Promise<KeptSchedules>
  readonly replace: (schedules: readonly Schedule[]) => Promise<void>
  readonly saveInput: (name: string, value: number, at: number) => Promise<void>
  readonly removeInput: (name: string) => Promise<void>
  /** Without `saved` nothing is kept of one any more. */
  readonly saveSubjects: (states: readonly KeptSubject[]) => Promise<void>
  readonly saveProgress: (at: number, conditions: Conditions) => Promise<void>
}

/** Programs that send values under ever new names must not fill the disk. */
export const MOST_INPUTS = 200
/** The key of what belongs to no client. */
const PROGRESS = ''

const spans = v.array(v.object({ begin: instant, end: instant }))
const conditions = v.record(v.string(), v.object({ isOn: v.boolean(), since: instant, spans: v.optional(spans) }))
const progress = v.object({ at: instant, conditions })
const subjectState = v.object({
  subject: v.object({ machine: v.string(), group: v.exactOptional(v.string()) }),
  saved: savedSchema,
})

/** JSON of this database, which a restored backup may have from anywhere. Undefined for anything unexpected. */
function read<Schema extends v.GenericSchema>(schema: Schema, text: string): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, parsedJson(text))
  return result.success ? result.output : undefined
}

export function isScheduleReadable({ content }: Tables['schedules']): boolean {
  return read(schedulesSchema, `[${content}]`)?.length === 1
}
export function isStateReadable({ key, content }: Tables['schedule_states']): boolean {
  return read(key === PROGRESS ? progress : subjectState, content) !== undefined
}

export function scheduleStoreOf(db: Kysely<Tables>, write: Write): ScheduleStore {
  const save = async (key: string, content: object): Promise<void> => {
    await write(change => replaceRows(change, 'schedule_states', ['key'], [{ key, content: JSON.stringify(content) }]))
  }
  return {
    load: async now => {
      const rows = await db.selectFrom('schedules').selectAll().orderBy('position').execute()
      const schedules = rows.flatMap(({ content }) => read(schedulesSchema, `[${content}]`) ?? [])
      const inputs = await db.selectFrom('inputs').selectAll().orderBy('at', 'desc').limit(MOST_INPUTS).execute()
      const states = await db.selectFrom('schedule_states').selectAll().execute()
      const stored = read(progress, states.find(({ key }) => key === PROGRESS)?.content ?? '')
      return {
        at: stored?.at ?? now,
        schedules,
        inputs: Object.fromEntries(
          inputs
            .filter(({ name }) => v.is(inputName, name))
            .map(({ name, value, at: received }) => [name, { value, at: received }]),
        ),
        conditions: stored?.conditions ?? {},
        states: Object.fromEntries(
          states.flatMap(({ content }) => {
            const found = read(subjectState, content)
            return found === undefined ? [] : [[subjectKey(found.subject), found]]
          }),
        ),
      }
    },
    replace: async schedules => {
      await write(async change => {
        await change.deleteFrom('schedules').execute()
        for (const [position, schedule] of schedules.entries())
          await change
            .insertInto('schedules')
            .values({ id: schedule.id, position, content: JSON.stringify(schedule) })
            .execute()
      })
    },
    saveInput: async (name, value, received) => {
      await write(change => replaceRows(change, 'inputs', ['name'], [{ name, value, at: received }]))
    },
    removeInput: async name => {
      await write(change => change.deleteFrom('inputs').where('name', '=', name).execute())
    },
    saveSubjects: async states => {
      await write(async change => {
        const pause = createPauses()
        for (const part of partsOf(states)) {
          const rows = part.flatMap(({ subject, saved }) =>
            saved === undefined ? [] : [{ key: subjectKey(subject), content: JSON.stringify({ subject, saved }) }],
          )
          await replaceRows(change, 'schedule_states', ['key'], rows)
          const forgotten = part.flatMap(({ subject, saved }) => (saved === undefined ? subjectKey(subject) : []))
          if (forgotten.length > 0) await change.deleteFrom('schedule_states').where('key', 'in', forgotten).execute()
          await pause()
        }
      })
    },
    saveProgress: (time, found) => save(PROGRESS, { at: time, conditions: found }),
  }
}
