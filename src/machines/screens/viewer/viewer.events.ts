import type { Colouring } from '../../../folding/molecule/molecule-style.ts'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { Topology } from '../../../protocol/visualization.ts'
import type { MoleculeNews } from '../../connection/client/client.events.ts'

export type ViewerCommand =
  /** Look at a unit's molecule. Another one that is looked at is left. */
  | { readonly type: 'viewer.open'; readonly client: string; readonly unit: string }
  | { readonly type: 'viewer.close' }
  | { readonly type: 'viewer.toggleRotation' }
  | { readonly type: 'viewer.toggleWiggle' }
  | { readonly type: 'viewer.togglePlayback' }
  | { readonly type: 'viewer.step'; readonly by: 1 | -1 }
  | { readonly type: 'viewer.goTo'; readonly frame: number }
  | { readonly type: 'viewer.draw'; readonly style: number }
  | { readonly type: 'viewer.colour'; readonly colouring: Colouring }
  | { readonly type: 'viewer.toggleOutlines' }
  /** A hand takes the molecule, lets it go, and what still turned has come to rest. */
  | { readonly type: 'viewer.grab' }
  | { readonly type: 'viewer.release'; readonly isCoasting: boolean }
  | { readonly type: 'viewer.rest' }
  /** An atom under the pointer, and one that was chosen; undefined means none. */
  | { readonly type: 'viewer.point'; readonly atom: number | undefined }
  | { readonly type: 'viewer.pick'; readonly atom: number | undefined }
  | { readonly type: 'viewer.toggleFullScreen' }
  | { readonly type: 'viewer.leaveFullScreen' }
  /** Whether this person wants nothing to move by itself. */
  | { readonly type: 'viewer.preferStill'; readonly isStill: boolean }
  /** There is no WebGL. */
  | { readonly type: 'viewer.lackGraphics' }
  | { readonly type: 'viewer.savePicture'; readonly name: string; readonly picture: Blob }
  | {
      readonly type: 'viewer.saveMolecule'
      readonly name: string
      readonly format: MoleculeFormat
      readonly isTrajectory: boolean
    }
  /** Nothing of what was looked at stays in this browser. */
  | { readonly type: 'viewer.forget' }

export type MoleculeFormat = 'pdb' | 'xyz'

/** What actors report. */
export type ViewerFact =
  /** While the trajectory moves: its frame has been shown long enough. */
  | { readonly type: 'viewer.frameElapsed' }
  /** What this browser has kept of a molecule; without a structure: nothing. */
  | {
      readonly type: 'molecule.restored'
      readonly client: string
      readonly unit: string
      readonly structure?: Structure
    }

export type ViewerEvent = ViewerCommand | ViewerFact | MoleculeNews

/** What the viewer tells those who keep molecules. */
export type KeeperCommand =
  | { readonly type: 'keeper.restore'; readonly client: string; readonly unit: string }
  | { readonly type: 'keeper.keep'; readonly client: string; readonly unit: string; readonly structure: Structure }
  | { readonly type: 'keeper.forget' }

/** A file that a person wants. */
export type FileWanted =
  | { readonly kind: 'picture'; readonly name: string; readonly picture: Blob }
  | {
      readonly kind: 'molecule'
      readonly name: string
      readonly format: MoleculeFormat
      readonly topology: Topology
      /** x, y and z of each atom, in ångström. */
      readonly frames: readonly Float32Array[]
    }
