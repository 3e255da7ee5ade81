import { statisticsModel } from '../../../models/statistics.model.ts'
import { makeAccount } from '../../new-account.ts'
import { loginDialogOf } from './login-dialog.ts'
import { expect, walkInBrowser } from './walk.ts'

walkInBrowser('statistics [2.19, 2.21, 7.24, 7.25, 9.6]', statisticsModel, async (page, network) => {
  const newcomer = await makeAccount(network)
  const login = loginDialogOf(page)
  const main = page.getByRole('main')
  const donor = main.getByRole('region', { name: 'Donor' })
  const team = main.getByRole('region', { name: 'Team' })
  const award = page.getByRole('dialog', { name: 'WU award of Demo_Donor' })
  const statistics = `${network.apiUrl}/user/**`
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stats' }).click()

  const logIn = async (credentials: typeof newcomer): Promise<void> => {
    await login.logIn(credentials)
    await login.expectSignedIn()
  }
  const expectSignedOut = async (): Promise<void> => {
    await expect(donor).toContainText('Folding anonymously')
    await expect(team).toContainText('No team selected')
  }
  const expectKnown = async (): Promise<void> => {
    await expect(donor.getByRole('heading', { level: 2 })).toContainText('Demo_Donor')
    await expect(donor).toContainText(/Top [\d,]+/)
    await expect(donor).toContainText(/Points earned[\d,]{9,}/)
    await expect(team.getByRole('heading', { level: 2 })).toContainText('Foldboard Friends')
    await expect(team).toContainText(/Your points[\d,]{9,} \d+\.\d%/)
  }
  const expectFailed = async (): Promise<void> => {
    await expect(donor).toContainText('Could not load the statistics')
    await expect(donor.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(team).toContainText('Foldboard Friends')
  }
  return {
    does: {
      'log in without points': () => logIn(newcomer),
      'log in with points': () => logIn(network.account),
      'log in while the statistics are down': async () => {
        await page.route(statistics, route => route.abort())
        await logIn(network.account)
      },
      'try again': async () => {
        // The page tries again by itself too: an answer before the press would remove the button.
        let answer = (): void => undefined
        const isPressed = new Promise<void>(resolve => {
          answer = resolve
        })
        await page.route(statistics, async route => {
          await isPressed
          await route.continue()
        })
        await donor.getByRole('button', { name: 'Try again' }).click()
        answer()
      },
      'try again in vain': () => donor.getByRole('button', { name: 'Try again' }).click(),
      'open an award': () => donor.getByRole('button', { name: 'WU award' }).click(),
      'close it': () => award.getByRole('button', { name: 'Close' }).click(),
      'log out': async () => {
        await page.getByRole('banner').getByRole('link', { name: 'Account of' }).click()
        await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
        await login.expectSignedOut()
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Stats' }).click()
      },
    },
    sees: {
      signedOut: expectSignedOut,
      newcomer: async () => {
        await expect(donor).toContainText('Ada')
        await expect(donor).toContainText('Unranked')
        await expect(donor).toContainText('No points have been credited to this name yet.')
        await expect(team).toContainText('No team selected')
      },
      known: expectKnown,
      award: async () => {
        await expect(award.getByRole('img', { name: 'WU award of Demo_Donor' })).toBeVisible()
        await expect(award).not.toContainText('Loading...')
      },
      knownStill: async () => {
        await expect(award).toHaveCount(0)
        await expectKnown()
      },
      failed: expectFailed,
      failedAgain: expectFailed,
      recovered: expectKnown,
      left: async () => {
        await expectSignedOut()
        expect(await page.content()).not.toMatch(/Demo_Donor|Foldboard Friends/)
        await expect.poll(() => page.evaluate(personalEntries)).toBe(0)
      },
    },
  }
})

/** Runs in the page: how much it keeps of a person's statistics. An empty list is the end of the stored machines. */
function personalEntries(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('foldboard.cache')
    opening.onerror = () => reject(new Error('It cannot be opened.'))
    opening.onsuccess = () => {
      const reading = opening.result.transaction('personal').objectStore('personal').getAll()
      reading.onsuccess = () => {
        const entries = reading.result as readonly { readonly body: unknown }[]
        resolve(entries.filter(({ body }) => !Array.isArray(body) || body.length > 0).length)
      }
    }
  })
}
