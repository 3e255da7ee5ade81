import { describe, expect, it } from 'vitest'
import { createActor, createMachine, fromPromise, sendTo, SimulatedClock, type AnyActorRef } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { ApiResult } from '../../../protocol/api-fault.ts'
import { dialogsMachine, type DialogsRef } from '../dialogs/dialogs.machine.ts'
import { selectDialog } from '../dialogs/dialogs.selectors.ts'
import { isDraftModified, type DraftSaving } from './draft.fold.ts'
import { createDraftMachine, type DraftRef } from './draft.machine.ts'
import { isAwaiting, isModified, isSaving, selectConflicts, selectDraft, selectRefusal, selectSaved, selectSaveFault, whyNotSaved } from './draft.selectors.ts'

type Settings = { readonly user: string; readonly look: { readonly dark: boolean }; readonly secrets: { readonly passkey: string } }

const ada: Settings = { user: 'Ada', look: { dark: false }, secrets: { passkey: '' } }
const down: ApiResult<undefined> = { ok: false, fault: { kind: 'unreachable', message: 'no answer in time' } }
const good: ApiResult<undefined> = { ok: true, value: undefined }

const machine = createDraftMachine<Settings>({
  id: 'settings',
  systemId: 'settingsDraft',
  complaintsOf: ({ user }) => (user === '' ? { user: 'Nobody' } : {}),
})

/** One that is saved when it is reported back. */
const reported = createDraftMachine<Settings>({
  id: 'settings',
  systemId: 'settingsDraft',
  complaintsOf: ({ user }) => (user === '' ? { user: 'Nobody' } : {}),
  settle: draft => ({ ...draft, user: draft.user.trim() }),
  isReported: true,
})

const startDraft = (kind: typeof machine, answers: (ApiResult<undefined> | Error)[]) => {
  const sent: DraftSaving<Settings>[] = []
  const heard: { readonly type: string }[] = []
  const said: string[] = []
  const clock = new SimulatedClock()
  const parent = createActor(
    createMachine({
      invoke: [
        { src: dialogsMachine, id: 'dialogs', systemId: 'dialogs' },
        {
          src: kind.provide({
            actors: {
              saveDraft: fromPromise<ApiResult<unknown>, DraftSaving<Settings>>(({ input }) => {
                sent.push(input)
                const answer = answers.shift() ?? down
                return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
              }),
            },
          }),
          id: 'draft',
          systemId: 'settingsDraft',
          input: { value: undefined },
        },
      ],
      on: { '*': { actions: ({ event }) => heard.push(event) }, load: { actions: sendTo('draft', ({ event }) => ({ ...event, type: 'draft.loaded' })) } },
    }),
    { clock },
  ).start()
  const { draft, dialogs } = parent.getSnapshot().children
  const actor = draft as AnyActorRef as DraftRef<Settings>
  for (const type of ['draft.left', 'draft.stayed'] as const) actor.on(type, () => said.push(type))
  const question = () => {
    const dialog = selectDialog((dialogs as AnyActorRef as DialogsRef).getSnapshot())
    return dialog?.kind === 'confirm' ? dialog : undefined
  }
  return {
    actor,
    clock,
    sent,
    heard,
    said,
    question,
    snapshot: () => actor.getSnapshot(),
    answer: (button: string) => dialogs?.send({ type: 'dialogs.answer', id: question()?.id ?? '', button }),
  }
}

const startLoaded = (...answers: (ApiResult<undefined> | Error)[]) => {
  const started = startDraft(machine, answers)
  started.actor.send({ type: 'draft.loaded', value: ada })
  return started
}

const startReported = (...answers: (ApiResult<undefined> | Error)[]) => {
  const started = startDraft(reported, answers)
  started.actor.send({ type: 'draft.loaded', value: ada })
  return started
}

describe('a draft', () => {
  it('is modified exactly while it differs from what is saved', () => {
    const { actor, snapshot } = startLoaded()
    expect(isModified(snapshot())).toBe(false)
    actor.send({ type: 'draft.edit', change: { look: { dark: true } } })
    expect([isModified(snapshot()), selectDraft(snapshot())]).toEqual([true, { ...ada, look: { dark: true } }])
    actor.send({ type: 'draft.edit', change: { look: { dark: false } } })
    expect(isModified(snapshot())).toBe(false)
  })

  it('can be saved only when it is modified and valid', () => {
    const { actor, snapshot } = startLoaded()
    expect(snapshot().can({ type: 'draft.save' })).toBe(false)
    actor.send({ type: 'draft.edit', change: { user: '' } })
    expect(snapshot().can({ type: 'draft.save' })).toBe(false)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    expect(snapshot().can({ type: 'draft.save' })).toBe(true)
  })

  it('is what is saved once it was saved, and says so', async () => {
    const { actor, sent, heard, snapshot } = startLoaded(good)
    const grace = { ...ada, user: 'Grace' }
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    expect(isSaving(snapshot())).toBe(true)
    await settled()
    expect(sent).toEqual([{ before: ada, value: grace }])
    expect([isModified(snapshot()), selectSaved(snapshot())]).toEqual([false, grace])
    expect(heard).toContainEqual({ type: 'draft.saved', id: 'settings', before: ada, value: grace })
    expect(heard.at(-1)).toEqual({ type: 'draft.changed', id: 'settings', value: grace, isModified: false })
  })

  it.each([
    [down, { kind: 'unreachable', message: 'no answer in time' }],
    [new Error('crash'), { kind: 'unreachable', message: 'it could not be sent' }],
  ] as const)('keeps everything that was typed when saving fails (%o)', async (answer, fault) => {
    const { actor, heard, snapshot } = startLoaded(answer)
    actor.send({ type: 'draft.edit', change: { user: 'Grace', secrets: { passkey: 'abc' } } })
    actor.send({ type: 'draft.save' })
    await settled()
    expect(selectDraft(snapshot())).toEqual({ user: 'Grace', look: { dark: false }, secrets: { passkey: 'abc' } })
    expect([isModified(snapshot()), isSaving(snapshot()), selectSaveFault(snapshot())]).toEqual([true, false, fault])
    expect(heard.at(-1)).toEqual({ type: 'draft.failed', id: 'settings', fault })
  })

  it('keeps what is typed while it is being saved', async () => {
    const { actor, snapshot } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    actor.send({ type: 'draft.edit', change: { user: 'Grace H.' } })
    await settled()
    expect([selectSaved(snapshot())?.user, selectDraft(snapshot())?.user, isModified(snapshot())]).toEqual(['Grace', 'Grace H.', true])
  })

  it('follows what is saved elsewhere where nothing was typed, and names where both changed', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.loaded', value: { user: 'Joan', look: { dark: true }, secrets: { passkey: 'x' } } })
    expect(selectDraft(snapshot())).toEqual({ user: 'Grace', look: { dark: true }, secrets: { passkey: 'x' } })
    expect(selectConflicts(snapshot())).toEqual([['user']])
    actor.send({ type: 'draft.discard' })
    expect([selectDraft(snapshot())?.user, selectConflicts(snapshot())]).toEqual(['Joan', []])
  })

  it.each([
    ['mine', 'Grace', true],
    ['theirs', 'Joan', false],
  ] as const)('cannot be saved while a conflict is open, and can be when it is decided for %s', (side, user, modified) => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan', look: { dark: true } } })
    expect([selectConflicts(snapshot()), whyNotSaved(snapshot())]).toEqual([[['user']], 'The same thing was changed elsewhere. Choose first which one to keep.'])
    actor.send({ type: 'draft.decide', path: ['user'], side })
    expect([selectConflicts(snapshot()), selectDraft(snapshot())?.user, isModified(snapshot())]).toEqual([[], user, modified])
    expect(snapshot().can({ type: 'draft.save' })).toBe(modified)
  })

  it('takes what was there before, typed in the face of a conflict, for the decision that it is', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    actor.send({ type: 'draft.edit', change: { user: 'Ada' } })
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    expect([selectDraft(snapshot())?.user, selectConflicts(snapshot()), isModified(snapshot())]).toEqual(['Ada', [], true])
  })

  it('cannot be saved while something hinders it, and says what', () => {
    const { actor, snapshot } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.hindered', because: 'It is away.' })
    expect([snapshot().can({ type: 'draft.save' }), whyNotSaved(snapshot())]).toEqual([false, 'It is away.'])
    actor.send({ type: 'draft.hindered', because: undefined })
    expect(whyNotSaved(snapshot())).toBeUndefined()
  })
})

describe('a draft that is saved when it is reported back', () => {
  const grace = { ...ada, user: 'Grace' }

  it('waits for the report, and tells what goes out', async () => {
    const { actor, heard, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: ' Grace ' } })
    actor.send({ type: 'draft.save' })
    await settled()
    expect(heard.at(-1)).toEqual({ type: 'draft.sent', id: 'settings', before: ada, value: grace })
    expect([isSaving(snapshot()), isAwaiting(snapshot()), selectDraft(snapshot())]).toEqual([true, true, grace])
    actor.send({ type: 'draft.loaded', value: { ...ada, look: { dark: true } } })
    expect(isAwaiting(snapshot())).toBe(true)
    actor.send({ type: 'draft.loaded', value: { ...grace, look: { dark: true } } })
    expect([isSaving(snapshot()), isModified(snapshot()), selectDraft(snapshot())]).toEqual([false, false, { ...grace, look: { dark: true } }])
    expect(heard).toContainEqual({ type: 'draft.saved', id: 'settings', before: ada, value: grace })
  })

  it('takes what is typed meanwhile for an edit of what was sent', async () => {
    const { actor, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.edit', change: { user: 'Joan' } })
    actor.send({ type: 'draft.loaded', value: grace })
    expect([isSaving(snapshot()), selectDraft(snapshot())?.user, selectConflicts(snapshot()), isModified(snapshot())]).toEqual([false, 'Joan', [], true])
  })

  it('names what was refused, and keeps it as it was typed', async () => {
    const { actor, said, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace', look: { dark: true } } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.leave' })
    actor.send({ type: 'draft.loaded', value: grace })
    actor.send({ type: 'draft.ignored', because: 'It does not want to.' })
    expect(selectRefusal(snapshot())).toEqual({ because: 'It does not want to.', missing: [['look', 'dark']] })
    expect([isModified(snapshot()), selectDraft(snapshot())?.look.dark, said]).toEqual([true, true, ['draft.stayed']])
    actor.send({ type: 'draft.edit', change: { look: { dark: false } } })
    expect(selectRefusal(snapshot())).toBeUndefined()
  })

  it('does not wait for ever', async () => {
    const { actor, clock, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    clock.increment(45_000)
    expect([isSaving(snapshot()), selectRefusal(snapshot())]).toEqual([false, { because: 'It has not reported the change in time.', missing: [['user']] }])
  })

  it('has still a conflict with what was saved elsewhere in the same moment', async () => {
    const { actor, snapshot } = startReported(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    await settled()
    actor.send({ type: 'draft.loaded', value: { ...ada, user: 'Joan' } })
    expect(selectConflicts(snapshot())).toEqual([])
    actor.send({ type: 'draft.ignored', because: 'Somebody was faster.' })
    expect(selectConflicts(snapshot())).toEqual([['user']])
  })
})

describe('leaving a draft', () => {
  it('asks nothing when nothing would be lost', () => {
    const { actor, said, question } = startLoaded()
    actor.send({ type: 'draft.leave' })
    expect([said, question()]).toEqual([['draft.left'], undefined])
  })

  it('asks with the words of the product', () => {
    const { actor, question } = startLoaded()
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    expect(question()).toMatchObject({
      title: 'Unsaved changes',
      text: 'You have unsaved configuration changes. Would you like to save your changes, discard them or cancel and stay on this page?',
    })
    expect(question()?.buttons.map(({ name }) => name)).toEqual(['Cancel', 'Discard', 'Save'])
  })

  it.each([
    ['cancel', 'Grace', 'draft.stayed', true],
    ['discard', 'Ada', 'draft.left', false],
    ['save', 'Grace', 'draft.left', false],
  ])('does what was answered: %s', async (button, user, outcome, modified) => {
    const { actor, said, snapshot, answer } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    expect(said).toEqual([])
    answer(button)
    await settled()
    expect([selectDraft(snapshot())?.user, said, isModified(snapshot())]).toEqual([user, [outcome], modified])
  })

  it('is called off when saving fails', async () => {
    const { actor, said, snapshot, answer } = startLoaded(down)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.leave' })
    answer('save')
    await settled()
    expect([said, selectDraft(snapshot())?.user]).toEqual([['draft.stayed'], 'Grace'])
  })

  it('cannot save what is not valid, and stays', () => {
    const { actor, said, sent, question, answer } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: '' } })
    actor.send({ type: 'draft.leave' })
    expect(question()?.buttons.at(-1)).toMatchObject({ name: 'Save', blockedBecause: 'Something that was typed is not valid yet.' })
    answer('save')
    expect([said, sent]).toEqual([['draft.stayed'], []])
  })

  it('waits for a saving that is on its way', async () => {
    const { actor, said, question } = startLoaded(good)
    actor.send({ type: 'draft.edit', change: { user: 'Grace' } })
    actor.send({ type: 'draft.save' })
    actor.send({ type: 'draft.leave' })
    expect([said, question()]).toEqual([[], undefined])
    await settled()
    expect(said).toEqual(['draft.left'])
  })
})

describe('the paths of a draft', () => {
  it.each([
    ['that an answer saves', machine, ['draft.awaiting']],
    ['that a report saves', reported, []],
  ])('%s lead through all its states, and nothing that was typed is lost but by discarding it', (_, kind, closed) => {
    const id = '0.draft.saving'
    const { ends, unreached } = walkShortestPaths(kind, {
      input: { value: undefined },
      events: [
        { type: 'draft.loaded', value: ada },
        { type: 'draft.loaded', value: { ...ada, user: 'Joan' } },
        { type: 'draft.edit', change: { user: 'Grace' } },
        { type: 'draft.edit', change: { user: '' } },
        { type: 'draft.ignored', because: 'no' },
        { type: 'draft.decide', path: ['user'], side: 'mine' },
        ...(['draft.save', 'draft.discard', 'draft.leave', 'draft.stay', 'draft.saveAndLeave', 'draft.discardAndLeave'] as const).map(type => ({ type })),
        ...[good, down].map(output => ({ type: `xstate.done.actor.${id}`, actorId: id, output })),
      ],
      silence: ['tellChange', 'tellSent', 'tellSaved', 'tellFault', 'askToLeave', 'withdrawQuestion'],
      context: ({ draft, saved, base, sent, fault, refusal, isLeaving }) => [draft?.user, saved?.user, base?.user, sent?.value.user, fault?.kind, refusal?.because, isLeaving],
    })
    expect(unreached).toEqual(closed)
    for (const { snapshot, path } of ends) {
      const lastEdit = path.lastIndexOf('draft.edit')
      const wasDiscarded = path.slice(lastEdit).includes('iscard')
      if (lastEdit >= 0 && path.includes('draft.loaded') && path.indexOf('draft.loaded') < lastEdit && !wasDiscarded)
        expect(['Grace', ''], path).toContain(snapshot.context.draft?.user)
      if (snapshot.hasTag('busy')) expect(snapshot.context.sent, path).toBeDefined()
      if (snapshot.hasTag('asking')) expect(isDraftModified(snapshot.context), path).toBe(true)
    }
  })
})
