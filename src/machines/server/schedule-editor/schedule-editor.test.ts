import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { scheduleEditorMachine } from './schedule-editor.machine.ts'
import { canUndo, isNewSchedule, selectDraft, whyScheduleNotSaved, withDraft } from './schedule-editor.selectors.ts'

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
  expect(withDraft([night], selectDraft(editor.getSnapshot()))).toEqual([night])
  editor.send({ type: 'editor.open', schedule: night, at: 0 })
  expect(isNewSchedule(editor.getSnapshot())).toBe(false)
  expect(whyScheduleNotSaved(editor.getSnapshot(), [night])).toBe('No changes to save.')
  editor.send({ type: 'editor.change', change: { name: 'Day' } })
  expect(whyScheduleNotSaved(editor.getSnapshot(), [night])).toBeUndefined()
  const other = { ...night, id: 'other' }
  expect(withDraft([night, other], selectDraft(editor.getSnapshot()))).toEqual([{ ...night, name: 'Day' }, other])
  editor.send({ type: 'editor.close' })
  expect(selectDraft(editor.getSnapshot())).toBeUndefined()
  editor.send({ type: 'editor.open', schedule: night, at: undefined })
  expect(withDraft([other], selectDraft(editor.getSnapshot()))).toEqual([other, night])
  expect(isNewSchedule(editor.getSnapshot())).toBe(true)
})

test('what is changed in the picture of the week is taken back step by step, until nothing is changed', () => {
  const editor = createActor(scheduleEditorMachine).start()
  const draw = (name: string) =>
    editor.send({ type: 'editor.draw', schedule: { ...night, name }, before: night, at: 0 })
  const now = () => {
    const snapshot = editor.getSnapshot()
    return [selectDraft(snapshot)?.name, snapshot.hasTag('form'), canUndo(snapshot)]
  }
  draw('One')
  draw('Two')
  expect(now()).toEqual(['Two', false, true])
  expect(withDraft([night], selectDraft(editor.getSnapshot()))).toEqual([{ ...night, name: 'Two' }])
  editor.send({ type: 'editor.draw', schedule: { ...night, id: 'other' }, before: undefined, at: 1 })
  expect(now()).toEqual(['Two', false, true])
  editor.send({ type: 'editor.undo' })
  expect(now()).toEqual(['One', false, true])
  editor.send({ type: 'editor.undo' })
  expect(now()).toEqual([undefined, false, false])
  draw('Three')
  editor.send({ type: 'editor.showForm' })
  expect(now()).toEqual(['Three', true, false])
  editor.send({ type: 'editor.close' })
  expect(now()).toEqual([undefined, false, false])
})

test('a template is a draft from the beginning, and taking back its changes leaves it', () => {
  const editor = createActor(scheduleEditorMachine).start()
  const draw = (name: string) =>
    editor.send({ type: 'editor.draw', schedule: { ...night, name }, before: undefined, at: undefined })
  draw('Nights')
  expect(canUndo(editor.getSnapshot())).toBe(false)
  expect(isNewSchedule(editor.getSnapshot())).toBe(true)
  draw('Evenings')
  editor.send({ type: 'editor.undo' })
  expect(selectDraft(editor.getSnapshot())?.name).toBe('Nights')
  editor.send({ type: 'editor.close' })
  expect(selectDraft(editor.getSnapshot())).toBeUndefined()
})

test('a draft of a schedule that was changed meanwhile cannot be saved', () => {
  const editor = createActor(scheduleEditorMachine).start()
  editor.send({ type: 'editor.draw', schedule: { ...night, name: 'Day' }, before: night, at: 0 })
  expect(whyScheduleNotSaved(editor.getSnapshot(), [night])).toBeUndefined()
  const reason = /changed meanwhile in another page/
  expect(whyScheduleNotSaved(editor.getSnapshot(), [{ ...night, otherwise: 'fold' }])).toMatch(reason)
  expect(whyScheduleNotSaved(editor.getSnapshot(), [])).toMatch(reason)
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
  expect(whyScheduleNotSaved(editor.getSnapshot(), [])).toBe(reason)
})

test('what was changed while it was being saved is a change of what was saved; what is saved already is no change', () => {
  const editor = createActor(scheduleEditorMachine).start()
  editor.send({ type: 'editor.open', schedule: night, at: 0 })
  editor.send({ type: 'editor.change', change: { name: 'Day' } })
  const saved = [{ ...night, id: 'other' }, ...withDraft([night], selectDraft(editor.getSnapshot()))]
  expect(whyScheduleNotSaved(editor.getSnapshot(), saved)).toBe('No changes to save.')
  editor.send({ type: 'editor.change', change: { name: 'Later' } })
  editor.send({ type: 'editor.saved', schedules: saved })
  expect(selectDraft(editor.getSnapshot())?.name).toBe('Later')
  expect(whyScheduleNotSaved(editor.getSnapshot(), saved)).toBeUndefined()
  editor.send({ type: 'editor.saved', schedules: withDraft(saved, selectDraft(editor.getSnapshot())) })
  expect(selectDraft(editor.getSnapshot())).toBeUndefined()
  editor.send({ type: 'editor.open', schedule: { ...night, id: 'new' }, at: undefined })
  editor.send({ type: 'editor.change', change: { name: 'New' } })
  editor.send({ type: 'editor.saved', schedules: [...saved, { ...night, id: 'new' }] })
  expect(isNewSchedule(editor.getSnapshot())).toBe(false)
})
