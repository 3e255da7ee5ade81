import { t } from '@lingui/core/macro'
import { assign, enqueueActions, sendTo, setup, type AnyActorRef } from 'xstate'
import { drawStyleOf, type Colouring } from '../../../folding/molecule/molecule-style.ts'
import { frameAmong, stepFrame } from '../../../folding/molecule/playback.ts'
import { emptyStructure, withKept, type Structure } from '../../../folding/molecule/structure.ts'
import { arrivedFrames } from '../../../folding/molecule/trajectory.ts'
import type { ClientEvent } from '../../connection/client/client.events.ts'
import { emptySlot, emptyTask } from '../../shared/actor-placeholder.ts'
import type { DialogsEvent } from '../../shared/dialogs/dialogs.events.ts'
import { nobodyLooks, type ViewerContext } from './viewer.context.ts'
import type { FileWanted, KeeperCommand, ViewerEvent } from './viewer.events.ts'

type Subject = { readonly client: string; readonly unit: string }

/** Actors, delays, guards and actions of the viewer machine. */
export const viewerSetup = setup({
  types: { context: {} as ViewerContext, events: {} as ViewerEvent },
  actors: {
    /** Stores molecules in this browser. */
    moleculeKeeper: emptySlot<KeeperCommand, undefined>('moleculeKeeper'),
    /** Reports every so many milliseconds, except while the page is hidden. */
    framePacer: emptySlot<{ type: 'none' }, { readonly every: number }>('framePacer'),
    saveFile: emptyTask<undefined, FileWanted>('saveFile'),
  },
  delays: {
    /** Limit for loading the stored molecule: some browsers never answer. */
    restoreTimeout: 3000,
  },
  guards: {
    isOpen: ({ context }) => context.unit !== undefined,
    hasSeveralFrames: ({ context }) => context.frames.length > 1,
    hasMolecule: ({ context }) => context.frames.length > 0 && context.structure.topology !== undefined,
    isFrame: ({ context }, frame: number) => Number.isInteger(frame) && frame >= 0 && frame < context.frames.length,
    isStyle: (_, style: number) => drawStyleOf(style) !== undefined,
    isSubject: ({ context }, { client, unit }: Subject) => context.client === client && context.unit === unit,
    wantsReducedMotion: (_, isStill: boolean) => isStill,
    prefersStill: ({ context }) => context.prefersStill,
  },
  actions: {
    /** Drawing style and motion preference are kept; everything else is reset. */
    assignSubject: assign(
      ({ context: { style, coloring, hasOutlines, prefersStill } }, { client, unit }: Subject) => ({
        ...nobodyLooks,
        style,
        coloring,
        hasOutlines,
        prefersStill,
        client,
        unit,
      }),
    ),
    clearSubject: assign(({ context: { style, coloring, hasOutlines, prefersStill } }) => ({
      ...nobodyLooks,
      style,
      coloring,
      hasOutlines,
      prefersStill,
    })),
    assignStructure: assign(({ context }, structure: Structure) => shown(context, structure)),
    assignStored: assign(({ context }, structure: Structure | undefined) =>
      structure === undefined ? {} : shown(context, withKept(context.structure, structure)),
    ),
    loadStored: sendTo('store', (_, { client, unit }: Subject): KeeperCommand => ({
      type: 'keeper.restore',
      client,
      unit,
    })),
    store: enqueueActions(({ context: { client, unit, structure }, enqueue }) => {
      if (client !== undefined && unit !== undefined && structure !== emptyStructure)
        enqueue.sendTo('store', { type: 'keeper.keep', client, unit, structure } satisfies KeeperCommand)
    }),
    clearStore: sendTo('store', { type: 'keeper.forget' } satisfies KeeperCommand),
    subscribeMolecule: enqueueActions(({ context: { client, unit, structure }, enqueue, system }) => {
      const ref = system.get(`client:${client}`) as AnyActorRef | undefined
      if (ref !== undefined && unit !== undefined)
        enqueue.sendTo(ref, { type: 'client.view', unit, kept: structure } satisfies ClientEvent)
    }),
    unsubscribeMolecule: enqueueActions(({ context: { client, unit }, enqueue, system }) => {
      const ref = system.get(`client:${client}`) as AnyActorRef | undefined
      if (ref !== undefined && unit !== undefined)
        enqueue.sendTo(ref, { type: 'client.unview', unit } satisfies ClientEvent)
    }),
    step: assign(({ context }, by: 1 | -1) => ({ frame: stepFrame(context.frame, by, context.frames.length) })),
    goTo: assign((_, frame: number) => ({ frame })),
    assignStyle: assign(({ context }, style: number) => ({ style: drawStyleOf(style) ?? context.style })),
    assignColoring: assign((_, coloring: Colouring) => ({ coloring })),
    toggleOutlines: assign({ hasOutlines: ({ context }) => !context.hasOutlines }),
    assignHovered: assign(({ context }, atom: number | undefined) =>
      isAtomOf(context, atom) ? { hovered: atom } : { hovered: undefined },
    ),
    togglePicked: assign(({ context }, atom: number | undefined) => ({ picked: pickedWith(context, atom) })),
    assignReducedMotion: assign((_, prefersStill: boolean) => ({ prefersStill })),
    showWebglMessage: enqueueActions(({ enqueue, system }) => {
      const dialogs = system.get('dialogs') as AnyActorRef | undefined
      const message = {
        level: 'error',
        title: t`WebGL not supported`,
        text: t`This browser cannot draw molecules. The page explains what may help.`,
      } as const
      if (dialogs !== undefined) enqueue.sendTo(dialogs, { type: 'dialogs.tell', message } satisfies DialogsEvent)
    }),
  },
})

const shown = (context: ViewerContext, structure: Structure): Partial<ViewerContext> => {
  const arrived = arrivedFrames(structure.trajectory)
  const frames = isSameList(arrived, context.frames) ? context.frames : arrived
  return { structure, frames, frame: frameAmong(context.frame, context.frames, frames) }
}

const isSameList = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at])

const isAtomOf = ({ structure }: ViewerContext, atom: number | undefined): atom is number =>
  atom !== undefined && Number.isInteger(atom) && atom >= 0 && atom < (structure.topology?.names.length ?? 0)

/** Clicking a selected atom deselects it, a third atom replaces the first, and undefined clears the selection. */
const pickedWith = (context: ViewerContext, atom: number | undefined): readonly number[] => {
  if (!isAtomOf(context, atom)) return []
  return context.picked.includes(atom)
    ? context.picked.filter(other => other !== atom)
    : [...context.picked, atom].slice(-2)
}
