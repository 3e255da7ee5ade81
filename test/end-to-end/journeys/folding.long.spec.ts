import type { Page } from '@playwright/test'
import type { Network } from '../../../programs/network/index.ts'
import { foldingModel } from '../../../models/folding.model.ts'
import { otherController } from '../../other-controller.ts'
import { chooseFromMenu, expectState, expectStates, press } from '../machines-view.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

const ONE = 'folder-0001'
const OTHER = 'folder-0002'

type Word = 'Folding' | 'Paused' | 'Finishing'
const counted: Record<Word, string> = { Folding: 'running', Paused: 'paused', Finishing: 'finishing' }

async function drive(page: Page, network: Network) {
  await signIn(page, network.account)
  const dialog = page.getByRole('dialog', { name: `Fold, pause or finish ${ONE}?` })
  const all = (verb: string) => (): Promise<void> => page.getByRole('button', { name: `${verb} All` }).click()
  const answer = (name: string) => (): Promise<void> => dialog.getByRole('button', { name }).click()
  const notice = () => network.clients().map(client => otherController(client).groups()[''] ?? {})
  /** What each machine reports, what its units do, and what is so at the machines. */
  const expectBoth = (one: Word, other: Word) => async (): Promise<void> => {
    await expectState(page, ONE, one)
    await expectState(page, OTHER, other)
    await expectStates(page, one === other ? [`4 ${counted[one]}`] : [`2 ${counted[other]}`, `2 ${counted[one]}`])
    expect(notice().map(({ paused }) => paused ?? false)).toEqual([one === 'Paused', other === 'Paused'])
  }
  const expectFolding = expectBoth('Folding', 'Folding')
  return {
    again: async () => {
      if (await dialog.isVisible()) await answer('Cancel')()
      if (notice().some(({ paused, finish }) => paused === true || finish === true)) await all('Fold')()
      await expectFolding()
    },
    does: {
      'pause one': () => press(page, 'Pause', ONE),
      'finish one': () => press(page, 'Finish', ONE),
      'fold it': () => press(page, 'Fold', ONE),
      'ask what is meant': () => chooseFromMenu(page, `Actions for ${ONE}`, 'Pause, resume or finish…'),
      'answer pause': answer('Pause'),
      cancel: answer('Cancel'),
      'pause all': all('Pause'),
      'finish all': all('Finish'),
      'fold all': all('Fold'),
    },
    sees: {
      folding: expectFolding,
      onePaused: expectBoth('Paused', 'Folding'),
      oneFinishing: expectBoth('Finishing', 'Folding'),
      asked: () => expect(dialog.getByRole('button', { name: 'Pause' })).toBeFocused(),
      unchanged: expectFolding,
      allPaused: expectBoth('Paused', 'Paused'),
      allFinishing: expectBoth('Finishing', 'Finishing'),
      resumed: expectFolding,
    },
  }
}

walkOnOnePage('folding', foldingModel, { machines: 2 }, drive)
walkOnOnePage('folding with clients of 8.3', foldingModel, { machines: 2, clientVersion: '8.3' }, drive)
