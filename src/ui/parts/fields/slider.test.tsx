// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { NumberField } from './number-field.tsx'
import { Slider } from './slider.tsx'

afterEach(cleanup)

function Cpus() {
  const [value, setValue] = useState(6)
  return <Slider label="CPUs" value={value} maximum={8} onChange={setValue} valueText={`${value} of 8`} />
}

it('announces its value as text after each change', () => {
  render(<Cpus />)
  const slider = screen.getByRole('slider', { name: 'CPUs' })
  expect(slider.getAttribute('aria-valuetext')).toBe('6 of 8')
  fireEvent.change(slider, { target: { value: '3' } })
  expect(slider.getAttribute('aria-valuetext')).toBe('3 of 8')
  expect(slider.getAttribute('aria-valuenow') ?? (slider as HTMLInputElement).value).toBe('3')
})

function TypedCpus() {
  const [value, setValue] = useState(6)
  return (
    <Slider
      label="CPUs"
      value={value}
      maximum={8}
      onChange={setValue}
      valueText={`${value} of 8`}
      field={<NumberField label="Number of CPUs" value={value} maximum={8} onChange={setValue} />}
    />
  )
}

it('stays in sync with its number field, in both directions', () => {
  render(<TypedCpus />)
  const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'CPUs' })
  const number = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Number of CPUs' })
  fireEvent.change(number, { target: { value: '3' } })
  expect(slider.value).toBe('3')
  expect(slider.getAttribute('aria-valuetext')).toBe('3 of 8')
  fireEvent.blur(number)
  fireEvent.change(slider, { target: { value: '5' } })
  expect(number.value).toBe('5')
})

it('shows an error for a number beyond its limits, and clamps it on blur', () => {
  render(<TypedCpus />)
  const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'CPUs' })
  const number = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Number of CPUs' })
  fireEvent.change(number, { target: { value: '12' } })
  expect(slider.value).toBe('6')
  expect(number.getAttribute('aria-invalid')).toBe('true')
  const described = (number.getAttribute('aria-describedby') ?? '').split(' ')
  expect(described.map(id => document.getElementById(id)?.textContent)).toContain('A whole number from 0 to 8')
  fireEvent.blur(number)
  expect(slider.value).toBe('8')
  expect(number.value).toBe('8')
  expect(number.getAttribute('aria-invalid')).toBe(null)
  fireEvent.change(number, { target: { value: '' } })
  fireEvent.blur(number)
  expect({ sliderValue: slider.value, numberValue: number.value }).toEqual({ sliderValue: '8', numberValue: '8' })
})
