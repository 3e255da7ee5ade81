// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { assign, createActor, createMachine } from 'xstate'
import { useSelector, useSelectorAlsoHidden } from './use-selector.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const countMachine = createMachine({
  types: {} as { context: { count: number }; events: { type: 'more' } },
  context: { count: 0 },
  on: { more: { actions: assign({ count: ({ context }) => context.count + 1 }) } },
})

function start() {
  const counter = createActor(countMachine).start()
  let commits = 0
  const Count = () => <output>{useSelector(counter, ({ context }) => context.count)}</output>
  const Title = () => <p role="note">{useSelectorAlsoHidden(counter, ({ context }) => context.count)}</p>
  render(
    <>
      <Profiler id="counts" onRender={() => (commits += 1)}>
        <Count />
        <Count />
      </Profiler>
      <Title />
    </>,
  )
  const show = (isHidden: boolean): void => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'))
    })
  }
  return {
    more: () => act(() => counter.send({ type: 'more' })),
    show,
    shown: () => screen.getAllByRole('status').map(({ textContent }) => textContent),
    title: () => screen.getByRole('note').textContent,
    takeCommits: () => {
      const before = commits
      commits = 0
      return before
    },
  }
}

it('a hidden page renders nothing, except what is asked to, and once what it missed when it is shown [13.6]', () => {
  const { more, show, shown, title, takeCommits } = start()
  more()
  expect({ shown: shown(), title: title() }).toEqual({ shown: ['1', '1'], title: '1' })
  show(true)
  takeCommits()
  more()
  more()
  expect(shown()).toEqual(['1', '1'])
  expect(title()).toBe('3')
  expect(takeCommits()).toBe(0)
  show(false)
  expect({ shown: shown(), takeCommits: takeCommits() }).toEqual({ shown: ['3', '3'], takeCommits: 1 })
  more()
  expect(shown()).toEqual(['4', '4'])
})
