import { t } from '@lingui/core/macro'
import { memo, useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { knownMolecule } from '../../../folding/molecule/molecule.ts'
import { residueLabel } from '../../../folding/molecule/atom-labels.ts'
import { sequencesOf, type SequenceEntry } from '../../../folding/molecule/residue-names.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useTopology } from './molecule-facts.ts'
import type { MoleculeCanvas } from './molecule-canvas.ts'
import styles from './sequence-strip.module.css'

/** Every nth residue shows its number. */
const NUMBERED = 10

function Chain({ chain, entries }: { readonly chain: number; readonly entries: readonly SequenceEntry[] }) {
  return (
    <div role="group" aria-label={t`chain ${chain}`} className="flex">
      {entries.map(({ residue, letter, name, number }) => (
        <span
          key={residue}
          id={`residue-${residue}`}
          role="option"
          aria-selected={false}
          aria-label={residueLabel(name, number)}
          className={styles['residue']}
          data-residue={residue}
          data-number={number === 1 || number % NUMBERED === 0 ? number : undefined}
        >
          {letter}
        </span>
      ))}
    </div>
  )
}

const Chains = memo(({ chains }: { readonly chains: readonly (readonly SequenceEntry[])[] }) =>
  chains.map((entries, at) => <Chain key={at} chain={at + 1} entries={entries} />),
)

/** Marks a residue with an attribute, without rendering all others again. */
function useMark(list: React.RefObject<HTMLElement | null>, residue: number | undefined, name: string): void {
  useEffect(() => {
    const element = list.current?.querySelector(`[data-residue="${residue}"]`)
    element?.setAttribute(name, 'true')
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    return () => element?.setAttribute(name, 'false')
  }, [list, residue, name])
}

/** The residues of all chains. What the pointer is over is lit in the molecule, and the other way round; a press looks at it closely. */
export function SequenceStrip({ canvas }: { readonly canvas: MoleculeCanvas | undefined }) {
  const { viewer } = useSystem()
  const topology = useTopology()
  const list = useRef<HTMLDivElement>(null)
  const first = useSelector(viewer, snapshot => snapshot.context.frames[0])
  const molecule = topology === undefined ? undefined : knownMolecule(topology)
  const chains = useMemo(() => (molecule === undefined ? [] : sequencesOf(molecule, first)), [molecule, first])
  const entries = useMemo(() => chains.flat(), [chains])
  const lit = useSelector(viewer, snapshot => molecule?.residues?.[snapshot.context.hovered ?? -1] || undefined)
  const focus = useSelector(viewer, ({ context }) => context.focus)
  useMark(list, lit, 'data-lit')
  useMark(list, focus, 'aria-selected')
  if (entries.length === 0) return undefined

  const light = (residue: number | undefined): void => {
    const atom = residue === undefined ? undefined : entries[residue - 1]?.anchor
    if (residue !== lit) viewer.send({ type: 'viewer.hover', atom })
  }
  const choose = (residue: number | undefined): void => {
    const chosen = residue === focus ? undefined : residue
    viewer.send({ type: 'viewer.focus', residue: chosen })
    if (chosen === undefined) canvas?.fit()
    else canvas?.closeUp(chosen)
  }
  const over = (event: MouseEvent): void => {
    canvas?.pointAt(event)
    light(residueAt(event))
  }
  const press = (event: KeyboardEvent): void => {
    const steps: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
    const step = steps[event.key]
    if (step !== undefined) light(Math.max(1, Math.min(entries.length, (lit ?? focus ?? 0) + step)))
    else if (event.key === 'Enter' || event.key === ' ') choose(lit)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      dir="ltr"
      aria-label={t`Sequence`}
      aria-orientation="horizontal"
      aria-activedescendant={lit === undefined ? undefined : `residue-${lit}`}
      className={styles['strip']}
      onPointerMove={over}
      onPointerLeave={() => light(undefined)}
      onClick={event => choose(residueAt(event))}
      onKeyDown={press}
    >
      <Chains chains={chains} />
    </div>
  )
}

function residueAt({ target }: MouseEvent): number | undefined {
  const { residue } = target instanceof HTMLElement ? target.dataset : {}
  return residue === undefined ? undefined : Number(residue)
}
