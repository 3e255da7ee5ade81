import { t } from '@lingui/core/macro'
import { assign, enqueueActions, sendTo, setup } from 'xstate'
import { advance, sameFrameIndex, stepFrame } from '../../../folding/molecule/playback.ts'
import { emptyStructure, withStored, type Structure } from '../../../folding/molecule/structure.ts'
import { arrivedFrames } from '../../../folding/molecule/trajectory.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { Subject } from '../molecules/molecules.events.ts'
import { sendToSibling } from '../../shared/siblings.ts'
import { nothingShown, type Recording, type ViewerContext } from './viewer.context.ts'
import type { FileToSave, MoleculeStoreCommand, ViewerEvent } from './viewer.events.ts'
import { isSameList } from '../../../folding/shared/equal.ts'

/** Actors, delays, guards and actions of the viewer machine. */
export const viewerSetup = setup({
  types: { context: {} as ViewerContext, events: {} as ViewerEvent },
  actors: {
    /** Stores molecules in this browser. */
    moleculeStore: actorPlaceholder<MoleculeStoreCommand, undefined>('moleculeStore'),
    /** Reports every so many milliseconds, except while the page is hidden. */
    framePacer: actorPlaceholder<{ type: 'none' }, { readonly every: number }>('framePacer'),
    saveFile: taskPlaceholder<undefined, FileToSave>('saveFile'),
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
    isSubject: ({ context }, { client, unit }: Subject) => context.client === client && context.unit === unit,
    prefersStill: ({ context }) => context.prefersStill,
  },
  actions: {
    /** Drawing style and motion preference are kept; everything else is reset. */
    assignSubject: assign((_, { client, unit }: Subject) => ({ ...nothingShown, client, unit })),
    clearSubject: assign(nothingShown),
    assignStructure: assign(({ context }, structure: Structure) => shown(context, structure)),
    assignStored: assign(({ context }, structure: Structure | undefined) =>
      structure === undefined ? {} : shown(context, withStored(context.structure, structure)),
    ),
    loadStored: sendTo('store', ({ context: { client = '', unit = '' } }): MoleculeStoreCommand => ({
      type: 'store.restore',
      client,
      unit,
    })),
    store: enqueueActions(({ context: { client, unit, structure }, enqueue }) => {
      if (client !== undefined && unit !== undefined && structure !== emptyStructure)
        enqueue.sendTo('store', { type: 'store.save', client, unit, structure } satisfies MoleculeStoreCommand)
    }),
    clearStore: sendTo('store', { type: 'store.deleteAll' } satisfies MoleculeStoreCommand),
    subscribeMolecule: enqueueActions(args => {
      const { client, unit, structure } = args.context
      if (client !== undefined && unit !== undefined)
        sendToSibling(args, `client:${client}`, { type: 'client.subscribeMolecule', unit, kept: structure })
    }),
    unsubscribeMolecule: enqueueActions(args => {
      const { client, unit } = args.context
      if (client !== undefined && unit !== undefined)
        sendToSibling(args, `client:${client}`, { type: 'client.unsubscribeMolecule', unit })
    }),
    step: assign(({ context }, by: 1 | -1) => ({ frame: stepFrame(context.frame, by, context.frames.length) })),
    advance: assign(({ context }) => advance(context, context.frames.length, context.swings)),
    assignRecording: assign((_, { kind, name }: Omit<Recording, 'share'>) => ({ recording: { kind, name, share: 0 } })),
    assignHovered: assign(({ context }, atom: number | undefined) =>
      isAtomOf(context, atom) ? { hovered: atom } : { hovered: undefined },
    ),
    togglePicked: assign(({ context }, atom: number | undefined) => ({ picked: pickedWith(context, atom) })),
    showWebglMessage: enqueueActions(args => {
      const message = {
        level: 'error',
        title: t`WebGL not supported`,
        text: t`This browser has no WebGL 2, so the molecule is a still picture. The page explains what may help.`,
      } as const
      sendToSibling(args, 'dialogs', { type: 'dialogs.showMessage', message })
    }),
  },
})

function shown(context: ViewerContext, structure: Structure): Partial<ViewerContext> {
  const arrived = arrivedFrames(structure.trajectory)
  const frames = isSameList(arrived, context.frames) ? context.frames : arrived
  return { structure, frames, frame: sameFrameIndex(context.frame, context.frames, frames) }
}

function isAtomOf({ structure }: ViewerContext, atom: number | undefined): atom is number {
  return atom !== undefined && Number.isInteger(atom) && atom >= 0 && atom < (structure.topology?.names.length ?? 0)
}

/** Clicking a selected atom deselects it, a fifth atom replaces the first, and undefined clears the selection. */
function pickedWith(context: ViewerContext, atom: number | undefined): readonly number[] {
  if (!isAtomOf(context, atom)) return []
  return context.picked.includes(atom)
    ? context.picked.filter(other => other !== atom)
    : [...context.picked, atom].slice(-4)
}
