// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { alphaHelix } from '../../../../test/molecule/helix.ts'
import { renderScreen, startTestSystem } from '../../../../test/ui/test-system.tsx'
import { emptyStructure, withFrame, withTopology } from '../../../folding/molecule/structure.ts'
import type { MoleculeCanvas } from './molecule-canvas.ts'
import { SequenceStrip } from './sequence-strip.tsx'

afterEach(cleanup)

it('the sequence lights residues, is lit by the molecule, and looks at a residue closely until it is pressed again', async () => {
  Element.prototype.scrollIntoView = () => undefined
  const testSystem = startTestSystem()
  const { viewer } = testSystem.system
  const { frame, classes, bonds } = alphaHelix(12)
  const topology = {
    names: Array.from(classes, (_, atom) => ['N', 'CA', 'C', 'O'][atom % 4] ?? ''),
    elements: new Uint8Array(classes.length),
    charges: new Float32Array(classes.length),
    radii: new Float32Array(classes.length),
    masses: new Float32Array(classes.length),
    bonds,
  }
  const structure = withFrame(withTopology(emptyStructure, topology), 0, frame)
  viewer.send({ type: 'viewer.open', client: 'abc', unit: 'u1' })
  viewer.send({ type: 'molecule.restored', client: 'abc', unit: 'u1', structure })
  const [closeUp, fit] = [vi.fn(), vi.fn()]
  const canvas = { closeUp, fit, pointAt: () => undefined } as unknown as MoleculeCanvas
  renderScreen(testSystem, <SequenceStrip canvas={canvas} />)
  const sequence = await screen.findByRole('listbox', { name: 'Sequence' })
  const third = screen.getByRole('option', { name: 'GLY 3' })
  fireEvent.pointerMove(third)
  expect(viewer.getSnapshot().context.hovered).toBe(9)
  fireEvent.pointerLeave(sequence)
  expect(viewer.getSnapshot().context.hovered).toBeUndefined()
  viewer.send({ type: 'viewer.hover', atom: 15 })
  await vi.waitFor(() => expect(sequence.getAttribute('aria-activedescendant')).toBe('residue-4'))
  fireEvent.keyDown(sequence, { key: 'ArrowLeft' })
  await vi.waitFor(() => expect(third.dataset['lit']).toBe('true'))
  fireEvent.keyDown(sequence, { key: 'Enter' })
  expect(viewer.getSnapshot().context.focus).toBe(3)
  expect(closeUp.mock.calls).toEqual([[3]])
  await vi.waitFor(() => expect(third.getAttribute('aria-selected')).toBe('true'))
  fireEvent.click(third)
  expect(viewer.getSnapshot().context.focus).toBeUndefined()
  expect(fit.mock.calls.length).toBe(1)
})
