// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderScreen, startTestSystem } from '../../../test/ui/test-system.tsx'
import { MilestoneDialog } from './milestone-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('says whose a milestone is only where that is ticked, draws that, and shares it with its text [2.22]', async () => {
  const drawn: string[] = []
  const context = {
    fillRect: () => drawn.splice(0),
    fillText: (text: string) => drawn.push(text),
    measureText: (text: string) => ({ width: 20 * text.length }),
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(done => done(new Blob(['png'])))
  const share = vi.fn((content: { readonly text: string; readonly files: readonly File[] }) =>
    content.files.length === 1 ? Promise.resolve() : Promise.reject(new Error('no file')),
  )
  Object.assign(navigator, { share, canShare: () => true })
  const testSystem = startTestSystem()
  act(() =>
    testSystem.system.donor.send({
      type: 'donor.localChanged',
      donor: { user: 'Ada', team: 0, secrets: { passkey: '' } },
    }),
  )
  renderScreen(
    testSystem,
    <MilestoneDialog
      title="10,000,000 points"
      lines={['Nov 29, 2026']}
      subject={undefined}
      onLeave={() => undefined}
    />,
  )
  const picture = await screen.findByRole('img', { name: '10,000,000 points, Nov 29, 2026' })
  expect(drawn).toContain('Nov 29, 2026')
  expect(drawn).not.toContain('Ada')
  fireEvent.click(screen.getByRole('checkbox', { name: 'With the name Ada' }))
  await waitFor(() => expect(picture.getAttribute('aria-label')).toBe('10,000,000 points, Nov 29, 2026, Ada'))
  expect(drawn).toContain('Ada')
  fireEvent.click(screen.getByRole('button', { name: 'Share' }))
  await waitFor(() => expect(share).toHaveBeenCalledTimes(1))
  expect(share.mock.calls[0]?.[0].text).toBe('10,000,000 points, Nov 29, 2026, Ada')
})

it('says of simulated machines that they are', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({ info: { id: 'attic', simulated: true }, config: {}, groups: {}, units: [] })
  renderScreen(
    testSystem,
    <MilestoneDialog title="A year of folding" lines={[]} subject={undefined} onLeave={() => undefined} />,
  )
  expect(await screen.findByRole('img', { name: 'A year of folding, Simulation' })).toBeTruthy()
})
