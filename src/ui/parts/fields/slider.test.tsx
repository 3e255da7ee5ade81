// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Slider } from './slider.tsx'

const Cpus = () => {
  const [value, setValue] = useState(6)
  return <Slider label="CPUs" value={value} maximum={8} onChange={setValue} words={`${value} of 8`} />
}

it('tells its value in words, and so after each change', () => {
  render(<Cpus />)
  const slider = screen.getByRole('slider', { name: 'CPUs' })
  expect(slider.getAttribute('aria-valuetext')).toBe('6 of 8')
  fireEvent.change(slider, { target: { value: '3' } })
  expect([
    slider.getAttribute('aria-valuetext'),
    slider.getAttribute('aria-valuenow') ?? (slider as HTMLInputElement).value,
  ]).toEqual(['3 of 8', '3'])
})
