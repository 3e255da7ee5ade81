import { expect } from 'vitest'
import { columnsModel } from '../../../models/columns.model.ts'
import {
  chosenColumns,
  columnsToStore,
  DEFAULT_COLUMNS,
  disableColumns,
  placeColumns,
  unchosenColumns,
} from '../../../src/folding/unit/column-sets.ts'
import { selectColumns } from '../../../src/machines/app/preferences/preferences.selectors.ts'
import { selectAccount, selectSettings } from '../../../src/machines/account/account/account.selectors.ts'
import { selectAccountDraft } from '../../../src/machines/account/settings/settings.selectors.ts'
import { selectDraft, selectSaved, whyNotSaved } from '../../../src/machines/shared/draft/draft.selectors.ts'
import { makeAccount } from '../../new-account.ts'
import { openSettings } from './settings-of.ts'
import { walkInProcess } from './journeys.ts'

const WITHOUT_STATUS = ['Project', 'Type', 'Progress', 'PPD']
const WITH_ETA = [...DEFAULT_COLUMNS, 'ETA']

walkInProcess('columns', columnsModel, async (app, network) => {
  await openSettings(app, await makeAccount(network))
  const account = () => app.system().account
  const draft = () => {
    const settings = selectSettings(account().getSnapshot())
    const ref = settings === undefined ? undefined : selectAccountDraft(settings.getSnapshot())
    if (ref === undefined) throw new Error('No user is signed in.')
    return ref
  }
  const said: string[] = []
  for (const type of ['draft.left', 'draft.stayed'] as const) draft().on(type, () => said.push(type))
  const chosen = () => chosenColumns(selectDraft(draft().getSnapshot())?.config.columns)
  const shown = () => chosenColumns(selectColumns(app.system().preferences.getSnapshot()))
  const choose = (names: readonly string[]): void => {
    const kept = selectSaved(draft().getSnapshot())?.config.columns
    draft().send({ type: 'draft.edit', change: { config: { columns: columnsToStore(names, kept) } } })
  }
  const obstacle = () => whyNotSaved(draft().getSnapshot())
  /** What the settings say, what the page shows at once, and whether it can be saved. */
  const expectChosen = (columns: readonly string[], canSave: boolean) => (): void =>
    expect([chosen(), shown(), obstacle() === undefined]).toEqual([columns, columns, canSave])
  const expectServerHas = async (columns: readonly string[] | undefined): Promise<void> => {
    account().send({ type: 'account.refresh' })
    await app.until(account(), snapshot => snapshot.matches({ signedIn: 'settled' }))
    expect(selectAccount(account().getSnapshot())?.config?.['columns']).toEqual(columns)
  }
  return {
    does: {
      'disable one': () => choose(disableColumns(chosen(), ['Status'])),
      'disable all': () => {
        for (const name of chosen()) choose(disableColumns(chosen(), [name]))
      },
      'enable one': () => choose(placeColumns(chosen(), ['ETA'])),
      'put them back': () => choose(DEFAULT_COLUMNS),
      save: async () => {
        const isAsked = app.system().dialogs.getSnapshot().context.questions.length > 0
        if (isAsked) app.answer('save')
        else draft().send({ type: 'draft.save' })
        await app.until(draft(), snapshot => !snapshot.hasTag('busy'))
      },
      leave: () => draft().send({ type: 'draft.leave' }),
      discard: () => app.answer('discard'),
      cancel: () => app.answer('cancel'),
      reload: async () => {
        app.reload()
        await app.until(account(), snapshot => snapshot.hasTag('signedIn'))
      },
    },
    sees: {
      usual: expectChosen(DEFAULT_COLUMNS, false),
      fewer: () => {
        expectChosen(WITHOUT_STATUS, true)()
        expect(unchosenColumns(chosen())).toContain('Status')
      },
      one: () => {
        const [last] = chosen()
        expect([chosen().length, disableColumns(chosen(), [last ?? ''])]).toEqual([1, chosen()])
      },
      more: expectChosen(WITH_ETA, true),
      restored: expectChosen(DEFAULT_COLUMNS, false),
      saved: async () => {
        expectChosen(WITHOUT_STATUS, false)()
        await expectServerHas(WITHOUT_STATUS)
      },
      savedMore: async () => {
        expectChosen(WITH_ETA, false)()
        await expectServerHas(WITH_ETA)
      },
      stillSaved: expectChosen(WITHOUT_STATUS, false),
      asked: async () => expect(await app.shownDialog()).toMatchObject({ title: 'Unsaved changes' }),
      stayed: () => expect([said, chosen()]).toEqual([['draft.stayed'], WITHOUT_STATUS]),
      gone: async () => {
        expect([said, shown()]).toEqual([['draft.left'], DEFAULT_COLUMNS])
        await expectServerHas(undefined)
      },
      goneSaved: async () => {
        expect([said, shown()]).toEqual([['draft.left'], WITHOUT_STATUS])
        await expectServerHas(WITHOUT_STATUS)
      },
    },
  }
})
