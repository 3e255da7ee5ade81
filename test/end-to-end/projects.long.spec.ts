import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { hideLocalClient, passTimeUntil } from './page-state.ts'
import { expect, test } from './signed-in.ts'

function projects(page: Page) {
  return page.getByRole('main').getByRole('article')
}

test('what the machines fold for is described, with who manages it [2.23, 2.25]', async ({ page, enter }) => {
  const network = await enter()
  await page.goto(`${network.dashboardUrl}/projects`)
  await expect(projects(page).first()).toContainText(/Project \d{5}Cause\w+Manager\w+Institution/)
  await expect(projects(page).first()).toContainText(/on (?:graphics cards|processors)\./)
  expect(await projects(page).count()).toBeGreaterThan(1)
})

test('no project is active when no machine folds [2.24, 8.9]', async ({ page, startTestNetwork }) => {
  const network = await startTestNetwork({ machines: 0 })
  await hideLocalClient(page)
  await page.clock.install()
  await page.goto(`${network.dashboardUrl}/projects`)
  await expect(page.getByRole('main')).toContainText('Loading...')
  await passTimeUntil(page, () => expect(page.getByRole('main')).toContainText('No active projects.', { timeout: 200 }))
  await expect(page.getByRole('main')).toContainText('While you are folding active projects will display here.')
})

test('a description that does not come can be tried again', async ({
  page,
  startTestNetwork,
  stopAfterTest,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/)
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const network = await startTestNetwork({ machines: 0, client: client.address })
  await page.route(`${network.apiUrl}/project/*`, route => route.abort())
  await page.goto(`${network.dashboardUrl}/projects`)
  await expect(projects(page)).toContainText('Could not load the description.')
  expect(await violations(page)).toEqual([])
  await page.unroute(`${network.apiUrl}/project/*`)
  await projects(page).getByRole('button', { name: 'Try again' }).click()
  await expect(projects(page)).not.toContainText('Could not load the description.')
})

test('earlier projects stay and are found; the log book has their units, and stays away when it is switched off [2.22, 2.26, 2.27]', async ({
  page,
  startTestNetwork,
  stopAfterTest,
}) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const network = await startTestNetwork({ machines: 0, client: client.address })
  await page.route(`${network.apiUrl}/project/*`, route => {
    const id = Number(route.request().url().split('/').at(-1))
    return route.fulfill({
      headers: {
        'access-control-allow-origin': route.request().headers()['origin'] ?? '',
        'access-control-allow-credentials': 'true',
      },
      json: { id, cause: id === 18_300 ? 'cancer' : 'diabetes', description: `<p>Of molecule ${id % 100}.</p>` },
    })
  })
  await page.goto(`${network.dashboardUrl}/projects`)
  const active = projects(page)
  await expect(active).toContainText('Runs on')
  await expect(active.getByRole('link', { name: 'puppet' })).toHaveAttribute('href', /^\/[^/]+$/)
  await expect(active.getByRole('link', { name: '25.0%' })).toHaveAttribute('href', '/unit/unit-1')
  await expect.poll(() => client.untakenCommands().some(({ cmd }) => cmd === 'wus')).toBe(true)
  client.say([
    'wus',
    [18_201, 18_300, 18_300, 18_477].map((project, day) => ({
      id: `ended-${day}`,
      number: 10 + day,
      state: 'UPLOAD',
      result: 'credited',
      end_time: `2026-01-0${day + 2}T12:00:00Z`,
      run_time: 7200,
      ppd: 600_000,
      assignment: { project, time: `2026-01-0${day + 2}T08:00:00Z` },
    })),
  ])
  await expect(active).toContainText(/Units1Points \(estimated\)50,000Run Time2h 0mSinceJanuary 2, 2026/)
  const earlier = page.getByRole('region', { name: 'Earlier projects' }).getByRole('listitem')
  await expect(earlier).toHaveText([
    /Project 18477Diabetes.*50,000/,
    /Project 18300Cancer.*100,000.*4h 0m.*January 4, 2026/,
  ])
  await page.getByRole('searchbox', { name: 'Find projects' }).fill('molecule 77')
  await expect(earlier).toHaveText([/Project 18477/])
  await expect(active).toHaveCount(0)
  await page.goto(`${network.dashboardUrl}/projects?cause=cancer`)
  await expect(earlier).toHaveText([/Project 18300/])
  await earlier.getByRole('heading').click()
  await expect(earlier).toContainText('Of molecule 0.')
  expect(await violations(page)).toEqual([])

  await page.goto(`${network.dashboardUrl}/stats`)
  const book = page.getByRole('region', { name: 'Log book' })
  await expect(book).toContainText('The history begins on January 2, 2026.')
  await expect(book.getByRole('listitem')).toHaveText([
    /100,000 points.*Project 18300.*puppet/,
    /First known work unit/,
  ])
  await expect(book.getByRole('listitem').last().getByRole('link')).toHaveAttribute('href', '/unit/ended-0')
  await book.getByText('Show the log book').click()
  await expect(book.getByRole('listitem')).toHaveCount(0)
  await page.reload()
  await expect(book.getByRole('switch', { name: 'Show the log book' })).not.toBeChecked()
  await expect(book.getByRole('listitem')).toHaveCount(0)
})
