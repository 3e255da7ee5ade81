import { expect } from 'vitest'
import { accountChangesModel } from '../../../models/account-changes.model.ts'
import { selectAccount } from '../../../src/machines/account/account/account.selectors.ts'
import { selectAccountFieldError } from '../../../src/machines/account/settings/settings.selectors.ts'
import { selectTheme } from '../../../src/machines/app/preferences/preferences.selectors.ts'
import { isModified, selectDraft, whyNotSaved } from '../../../src/machines/shared/draft/draft.selectors.ts'
import { makeAccount } from '../../new-account.ts'
import { openSettings } from './settings-of.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('unsaved account changes [7.13, 8.6]', accountChangesModel, async (app, network) => {
  const { draft, account, untilAccount } = await openSettings(app, await makeAccount(network))
  const said: string[] = []
  for (const type of ['draft.left', 'draft.stayed'] as const) draft.on(type, () => said.push(type))
  const user = () => selectDraft(draft.getSnapshot())?.user
  const obstacle = () => whyNotSaved(draft.getSnapshot())
  const theme = () => selectTheme(app.system().preferences.getSnapshot())
  const type = (typed: string): void => draft.send({ type: 'draft.edit', change: { user: typed } })
  const expectQuestion = async (canSave: boolean): Promise<void> => {
    const question = await app.shownDialog()
    const save = question.kind === 'confirm' ? question.buttons.find(({ name }) => name === 'Save') : undefined
    expect([question.id, save?.blockedBecause === undefined]).toEqual(['account:draft:unsaved', canSave])
  }
  const expectServerHas = (name: string): Promise<void> => untilAccount(known => known.user === name)
  return {
    does: {
      'change the user name': () => type('Grace'),
      'change it back': () => type('Ada'),
      'type a user name that is none': () => type('A'),
      'switch to dark mode': () => draft.send({ type: 'draft.edit', change: { config: { dark: true } } }),
      save: async () => {
        const question = app.system().dialogs.getSnapshot().context.questions[0]
        if (question === undefined) draft.send({ type: 'draft.save' })
        else app.answer('save')
        await app.until(draft, snapshot => !snapshot.hasTag('busy'))
      },
      'save while the server is down': async () => {
        app.setReachable(false)
        draft.send({ type: 'draft.save' })
        await app.until(draft, snapshot => !snapshot.hasTag('busy'))
        app.setReachable(true)
      },
      leave: () => draft.send({ type: 'draft.leave' }),
      cancel: () => app.answer('cancel'),
      discard: () => app.answer('discard'),
    },
    sees: {
      unchanged: () => expect([isModified(draft.getSnapshot()), obstacle()]).toEqual([false, 'No changes to save.']),
      changed: () => expect(obstacle()).toBeUndefined(),
      restored: () => expect(obstacle()).toBe('No changes to save.'),
      failed: async () => {
        expect(await app.shownDialog()).toMatchObject({
          messages: [
            { title: 'Save Failed', text: expect.stringMatching(/^Failed to save account settings: /) as string },
          ],
        })
        app.answer('ok')
        expect(user()).toBe('Grace')
      },
      invalid: () => {
        expect(selectAccountFieldError('user')(draft.getSnapshot())).toBe(
          'User name must be empty or between 2 and 100 characters',
        )
        expect(obstacle()).toBe('Some fields are not valid yet.')
      },
      previewed: () => expect([theme(), selectAccount(account.getSnapshot())?.config]).toEqual(['dark', {}]),
      asked: () => expectQuestion(true),
      askedInvalid: () => expectQuestion(false),
      askedPreviewed: () => expectQuestion(true),
      stayed: () => expect([said, user()]).toEqual([['draft.stayed'], 'Grace']),
      saved: async () => {
        expect(isModified(draft.getSnapshot())).toBe(false)
        await expectServerHas('Grace')
      },
      gone: () => expect(said).toEqual(['draft.left']),
      goneUnchanged: () => expect([said, user(), theme()]).toEqual([['draft.left'], 'Ada', 'auto']),
      goneSaved: async () => {
        expect(said).toEqual(['draft.left'])
        await expectServerHas('Grace')
      },
    },
  }
})
