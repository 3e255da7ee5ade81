// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { useDrag, type Dragged } from './use-drag.ts'

afterEach(cleanup)

const nights: Schedule = {
  id: 'nights',
  name: 'Nights',
  isEnabled: true,
  timeZone: 'UTC',
  targets: [{ kind: 'all', name: '' }],
  rules: [{ kind: 'week', days: [1], from: '12:00', until: '18:00', state: 'fold' }],
  otherwise: 'pause',
  finishMinutes: 0,
}

function Row(options: { onMove: (to: Dragged | undefined) => void; onDrop: (to: Dragged) => void }) {
  const handlers = useDrag({ schedules: [nights], ms: 86_400_000, ...options })
  return (
    <div data-testid="row" {...handlers}>
      <div data-testid="band" data-schedule="nights" data-rule="0" />
    </div>
  )
}

it('a band follows the pointer while its button is pressed, and not after a release that the row did not see', () => {
  const [onMove, onDrop] = [vi.fn(), vi.fn()]
  render(<Row onMove={onMove} onDrop={onDrop} />)
  const [row, band] = [screen.getByTestId('row'), screen.getByTestId('band')]
  row.setPointerCapture = vi.fn()
  vi.spyOn(row, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 960, 20))
  fireEvent.pointerDown(band, { button: 0, clientX: 500 })
  fireEvent.pointerMove(row, { buttons: 1, clientX: 502 })
  fireEvent.pointerMove(row, { buttons: 0, clientX: 600 })
  fireEvent.pointerUp(row, { clientX: 600 })
  expect(onMove.mock.calls).toEqual([[undefined]])
  expect(onDrop).not.toHaveBeenCalled()
  fireEvent.pointerDown(band, { button: 0, clientX: 500 })
  fireEvent.pointerMove(row, { buttons: 1, clientX: 540 })
  fireEvent.pointerUp(row, { clientX: 540 })
  expect(onDrop).toHaveBeenCalledWith({
    schedule: nights,
    at: 0,
    rule: { kind: 'week', days: [1], from: '13:00', until: '19:00', state: 'fold' },
  })
})
