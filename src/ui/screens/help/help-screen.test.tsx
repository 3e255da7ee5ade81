// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import type { RouteObject } from 'react-router-dom'
import { afterEach, expect, it, vi } from 'vitest'
import { pages } from 'virtual:guide'
import { kindEntry } from '../../../folding/incidents/incident-kinds.ts'
import { INCIDENT_KINDS } from '../../../folding/incidents/incident-names.ts'
import { openPage } from '../../../../test/ui/page.tsx'
import { startTestSystem } from '../../../../test/ui/test-system.tsx'
import { screens } from '../../routes.tsx'
import { helpPath, incidentAnchor } from './guide.ts'

afterEach(cleanup)

function open(path: string): void {
  Element.prototype.scrollIntoView = vi.fn()
  openPage(startTestSystem(), path)
}

it('the guide finds words of all its pages and leads to them', async () => {
  open('/help/first-hour')
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search the guide' }), {
    target: { value: 'bonus deadline' },
  })
  fireEvent.click(await screen.findByRole('link', { name: 'Timeout' }))
  expect(await screen.findByRole('heading', { name: 'Words', level: 2 })).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.id).toBe('timeout'))
})

it('links of the guide lead to its other pages', async () => {
  open('/help/first-hour')
  fireEvent.click(await screen.findByRole('link', { name: 'PPD' }))
  await waitFor(() => expect(document.activeElement?.id).toBe('ppd'))
})

it('text that scrolls sideways can have the focus', async () => {
  open('/help/server-at-home')
  const [text] = await screen.findAllByText('--client', { selector: 'pre *', exact: false })
  expect(text?.parentElement?.tabIndex).toBe(0)
})

it('the last page is the changelog', async () => {
  open('/help/what-is-new')
  expect(await screen.findByRole('heading', { name: 'What is new', level: 2 })).toBeTruthy()
  expect(screen.getByText('The first release.', { exact: false })).toBeTruthy()
})

it('a search without results says so, and an unknown page is the first', async () => {
  open('/help/nowhere')
  expect(await screen.findByRole('heading', { name: 'The first hour', level: 2 })).toBeTruthy()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search the guide' }), { target: { value: 'xyzzy' } })
  expect(await screen.findByText('Nothing in the guide matches.')).toBeTruthy()
})

it('an incident leads to its paragraph', async () => {
  open('/help/when-something-is-wrong?kind=clock')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Clock is wrong'))
})

it('each kind of incident has its paragraph, with its title', () => {
  const page = pages.find(({ name }) => name === 'when-something-is-wrong')
  if (page === undefined) throw new Error('The guide has no such page.')
  const titles = INCIDENT_KINDS.map(
    kind => page.sections.find(({ anchor }) => anchor === incidentAnchor(kind, page))?.title,
  )
  expect(titles).toEqual(INCIDENT_KINDS.map(kind => kindEntry(kind).title))
})

/** The paths of all screens, with those within others. */
function pathsOf(routes: readonly RouteObject[]): readonly string[] {
  return routes.flatMap(({ path, children = [] }) => [...(path === undefined ? [] : [path]), ...pathsOf(children)])
}

it('each screen has its paragraph', () => {
  const known = pages.flatMap(({ name, sections }) => sections.map(({ anchor }) => `/help/${name}#${anchor}`))
  const paragraphs = pathsOf(screens).map(path => [path, helpPath(path)] as const)
  for (const [, paragraph] of paragraphs) expect(known).toContain(paragraph.includes('#') ? paragraph : `${paragraph}#`)
  expect(Object.fromEntries(paragraphs)).toMatchObject({
    '/machines': '/help/several-computers',
    '/stats/power': '/help/schedules-and-power#what-it-costs',
    '/:machID/log': '/help/one-computer#the-log',
    '/:machID/view/:unitID': '/help/one-computer#the-molecule',
  })
})
