import { viewingModel } from '../../../models/viewing.model.ts'
import { machineCalled } from '../machines-view.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

/** A third of the unit is done, and it has a hundred frames: while they come, the last is not yet the last. */
const ALL = /^1 of 3[4-9] /

walkOnOnePage(
  'viewing [2.43, 2.44]',
  viewingModel,
  { machines: 1, uniform: false, relayPaceMs: 0 },
  async (page, network) => {
    await signIn(page, network.account)
    const simulated = network.clients()[0]
    if (simulated === undefined) throw new Error('The network has no machine.')
    const main = page.getByRole('main')
    const actions = page.getByRole('button', { name: /^Actions for unit \d+, project 18420$/ })
    const picture = main.getByRole('img', { name: /^Molecule of project 18420: \d+ atoms/ })
    const frame = main.getByRole('group', { name: 'Frame', exact: true })
    const pressed = (name: string) => main.getByRole('button', { name, exact: true, pressed: true })
    const expectFrame = (words: RegExp): Promise<void> => expect(frame).toContainText(words)
    const expectLast = async (): Promise<void> => {
      await expect(async () => {
        const [at, of] = ((await frame.textContent()) ?? '').replace(/ · .*/, '').split(' of ')
        expect(at).toBe(of)
      }).toPass()
    }
    const close = main.getByRole('button', { name: 'Close', exact: true })
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    return {
      /** How it is drawn and whether it turns outlive a molecule. */
      again: async () => {
        if (!(await close.isVisible())) return
        await page.keyboard.press('4')
        if ((await pressed('Rotate').count()) === 0) await page.keyboard.press('Space')
        await close.click()
        await expect(actions).toBeVisible()
      },
      does: {
        'open the view': async () => {
          await actions.click()
          await page.getByRole('menuitem', { name: '3D view' }).click()
          // It plays until another frame is chosen.
          await expectFrame(/ of 3[4-9] /)
          const slider = main.getByRole('slider', { name: 'Frame' })
          // The one that is shown is not chosen again.
          await slider.press('End')
          await slider.press('Home')
          await slider.blur()
          // It opens still where the processor draws.
          if ((await pressed('Rotate').count()) === 0) await page.keyboard.press('Space')
        },
        'step back': () => page.keyboard.press('ArrowLeft'),
        'step forward': () => main.getByRole('button', { name: 'Next frame', exact: true }).click(),
        'choose the third style': () => page.keyboard.press('3'),
        'pause the rotation': () => page.keyboard.press('Space'),
        wiggle: () => page.keyboard.press('w'),
        'stop wiggling': () => main.getByRole('button', { name: 'Wiggle', exact: true }).click(),
        'lose the machine': () => simulated.kill(),
        'get the machine back': () => simulated.revive(),
        'open a unit that is not there': async () => {
          await page.evaluate(path => {
            history.pushState(undefined, '', path)
            dispatchEvent(new PopStateEvent('popstate'))
          }, `/${simulated.id}/view/no-such-unit`)
        },
        close: () => close.click(),
      },
      sees: {
        machines: () => expect(actions).toBeVisible(),
        first: async () => {
          await expect(picture).toBeVisible()
          await expectFrame(ALL)
          await expect(pressed('Rotate')).toBeVisible()
          await expect(main.getByRole('status').filter({ hasText: 'Cartoon' })).toContainText('Rotating')
        },
        last: expectLast,
        around: () => expectFrame(/^1 of /),
        sticks: async () => {
          await expect(main.getByRole('button', { name: 'Sticks', pressed: true })).toBeVisible()
          await expect(main.getByRole('status').filter({ hasText: 'Sticks' })).toBeAttached()
        },
        paused: async () => {
          await expect(pressed('Rotate')).toHaveCount(0)
          await expect(main.getByRole('status').filter({ hasText: 'Rotation paused' })).toBeAttached()
        },
        wiggling: () => expectFrame(/^(?!1 )\d+ of /),
        still: async () => {
          await expect(pressed('Wiggle')).toHaveCount(0)
          await expect(main.getByRole('status').filter({ hasText: /Frame \d+ of/ })).toBeAttached()
        },
        lost: async () => {
          await expect(main).toContainText('The machine is not connected. Showing the frames it sent before.')
          await expect(picture).toBeVisible()
        },
        back: async () => {
          await expect(main).not.toContainText('The machine is not connected')
          await expectFrame(ALL)
        },
        unknown: () => expect(main).toContainText('This work unit is not on the machine'),
        closed: () => expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeAttached(),
      },
    }
  },
)
