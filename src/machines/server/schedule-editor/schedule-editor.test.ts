import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { scheduleEditorMachine } from './schedule-editor.machine.ts'
import { isNewSchedule, selectDraft, whyScheduleNotSaved, withDraft } from './schedule-editor.selectors.ts'

const night: Schedule = {
  id: 'night',
  name: 'Night',
  isEnabled: true,
  targets: [{ kind: 'all', name: '' }],
  timeZone: 'UTC',
  rules: [],
  otherwise: 'pause',
  finishMinutes: 0,
}

test('a schedule is edited at its place in the list, and closing the editor discards the draft', () => {
  const editor = createActor(scheduleEditorMachine).start()
  expect(withDraft(editor.getSnapshot(), [night])).toEqual([night])
  editor.send({ type: 'editor.open', schedule: night, at: 0 })
  expect([isNewSchedule(editor.getSnapshot()), whyScheduleNotSaved(editor.getSnapshot())]).toEqual([
    false,
    'No changes to save.',
  ])
  editor.send({ type: 'editor.change', change: { name: 'Day' } })
  expect(whyScheduleNotSaved(editor.getSnapshot())).toBeUndefined()
  const other = { ...night, id: 'other' }
  expect(withDraft(editor.getSnapshot(), [night, other])).toEqual([{ ...night, name: 'Day' }, other])
  editor.send({ type: 'editor.close' })
  expect(selectDraft(editor.getSnapshot())).toBeUndefined()
  editor.send({ type: 'editor.open', schedule: night, at: undefined })
  expect(withDraft(editor.getSnapshot(), [other])).toEqual([other, night])
  expect(isNewSchedule(editor.getSnapshot())).toBe(true)
})

test.each<[Partial<Schedule>, string]>([
  [{ name: ' ' }, 'The schedule has no name.'],
  [{ targets: [] }, 'Choose the machines that the schedule is for.'],
  [{ otherwise: null }, 'Add a rule, or choose a state for all other times.'],
  [{ rules: [{ kind: 'week', days: [], from: '01:00', until: '02:00', state: 'fold' }] }, 'A rule has no day.'],
  [
    {
      rules: [{ kind: 'dates', first: '2027-02-02', last: '2027-02-01', from: '01:00', until: '02:00', state: 'fold' }],
    },
    'A rule is not complete: The first date must not be after the last.',
  ],
])('%o cannot be saved', (change, reason) => {
  const editor = createActor(scheduleEditorMachine).start()
  editor.send({ type: 'editor.open', schedule: { ...night, ...change }, at: undefined })
  expect(whyScheduleNotSaved(editor.getSnapshot())).toBe(reason)
})
