// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openPage } from '../../test/ui/page.tsx'
import { startTestSystem } from '../../test/ui/test-system.tsx'

afterEach(cleanup)

/** Of the screen itself, whose code is there. */
async function heading(): Promise<string> {
  await vi.waitFor(() => expect(document.querySelector('[class*=delayed]')).toBeNull(), { timeout: 20_000 })
  return (await screen.findByRole('heading', { level: 1 })).textContent
}

describe('the routes', () => {
  it.each([
    ['/machines', 'Machines'],
    ['/wus', 'Work Units'],
    ['/stats', 'Stats'],
    ['/stats/power', 'Power'],
    ['/projects', 'Projects'],
    ['/attention', 'Attention'],
    ['/schedules', 'Schedules'],
    ['/news', 'News'],
    ['/unit/abc', 'Work Unit Details'],
    ['/abc/log?q=WU1', 'Machine'],
    ['/abc', 'Machine'],
  ])('%s shows the screen %s [2.2, 2.3]', async (path, title) => {
    const address = openPage(startTestSystem(), path)
    expect(await heading()).toBe(title)
    expect(address()).toBe(path)
  })

  it.each([
    ['/wus', 'table'],
    ['/stats', 'cards'],
    ['/account/settings', 'form'],
    ['/about', 'lines'],
  ])('until %s is there, what is shown has the shape of %s', async (path, shape) => {
    openPage(startTestSystem(), path)
    expect(document.querySelector('[class*=delayed] [data-shape]')?.getAttribute('data-shape')).toBe(shape)
    await heading()
  })

  it.each([
    ['/', '/machines'],
    ['/?filter=lab', '/machines?filter=lab'],
    ['/abc/nothing', '/machines'],
    ['/abc/view', '/machines'],
    ['/a/b/c/d', '/machines'],
  ])('%s redirects to %s [2.1, 2.7]', async (path, target) => {
    const address = openPage(startTestSystem(), path, true)
    expect(await heading()).toBe('Machines')
    expect(address()).toBe(target)
    if (path.endsWith('nothing')) expect(await screen.findByText(`There is no page at ${path}.`)).toBeTruthy()
  })
})
