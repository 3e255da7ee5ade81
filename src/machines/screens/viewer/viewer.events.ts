import type { Coloring, DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import type { Speed } from '../../../folding/molecule/playback.ts'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { Topology } from '../../../protocol/client/visualization.ts'
import type { Economy, RecordingKind, ViewerOption } from './viewer.context.ts'
import type { MoleculeNotification } from '../../connection/client/client.events.ts'

export type ViewerCommand =
  /** View a unit's molecule instead of the current one. */
  | { readonly type: 'viewer.open'; readonly client: string; readonly unit: string }
  | { readonly type: 'viewer.close' }
  | { readonly type: 'viewer.toggleRotation' }
  | { readonly type: 'viewer.toggleWiggle' }
  | { readonly type: 'viewer.togglePlayback' }
  | { readonly type: 'viewer.setSpeed'; readonly speed: Speed }
  | { readonly type: 'viewer.setSwing'; readonly swings: boolean }
  | { readonly type: 'viewer.step'; readonly by: 1 | -1 }
  | { readonly type: 'viewer.goTo'; readonly frame: number }
  | { readonly type: 'viewer.setStyle'; readonly style: DrawStyle }
  | { readonly type: 'viewer.setColoring'; readonly coloring: Coloring }
  | { readonly type: 'viewer.toggle'; readonly option: ViewerOption }
  /** A drag starts or ends, and coasting after a drag ends. */
  | { readonly type: 'viewer.grab' }
  | { readonly type: 'viewer.release'; readonly isCoasting: boolean }
  | { readonly type: 'viewer.endCoasting' }
  /** The atom under the pointer, and a clicked one; undefined for none. */
  | { readonly type: 'viewer.hover'; readonly atom: number | undefined }
  | { readonly type: 'viewer.pick'; readonly atom: number | undefined }
  /** Look at a residue closely, counted from 1; undefined for all of the molecule. */
  | { readonly type: 'viewer.focus'; readonly residue: number | undefined }
  | { readonly type: 'viewer.toggleFullScreen' }
  | { readonly type: 'viewer.leaveFullScreen' }
  /** Whether the user prefers reduced motion. */
  | { readonly type: 'viewer.setReducedMotion'; readonly isStill: boolean }
  /** Stand still until asked to move. */
  | { readonly type: 'viewer.economize'; readonly because: Economy }
  /** WebGL is not available. */
  | { readonly type: 'viewer.webglMissing' }
  | { readonly type: 'viewer.savePicture'; readonly name: string; readonly picture: Blob }
  /** The picture could not be drawn. */
  | { readonly type: 'viewer.pictureFailed' }
  | {
      readonly type: 'viewer.saveMolecule'
      readonly name: string
      readonly format: MoleculeFormat
      readonly isTrajectory: boolean
    }
  /** Make a video. */
  | { readonly type: 'viewer.record'; readonly kind: RecordingKind; readonly name: string }
  /** End what makes a file. */
  | { readonly type: 'viewer.cancelFile' }
  /** Delete all molecules that this browser stored. */
  | { readonly type: 'viewer.clearStore' }

export type MoleculeFormat = 'pdb' | 'xyz' | 'cif'

/** Reported by actors. */
export type ViewerFact =
  /** During playback: the current frame was shown long enough. */
  | { readonly type: 'viewer.frameElapsed' }
  /** Of the video that is being made. */
  | { readonly type: 'viewer.recordingProgressed'; readonly share: number }
  | { readonly type: 'viewer.recorded'; readonly name: string; readonly file: Blob }
  | { readonly type: 'viewer.recordingFailed' }
  | MoleculeRestored

/** The stored molecule; without `structure` there is none. */
export type MoleculeRestored = {
  readonly type: 'molecule.restored'
  readonly client: string
  readonly unit: string
  readonly structure?: Structure
}

export type ViewerEvent = ViewerCommand | ViewerFact | MoleculeNotification

/** Sent to the store of molecules. */
export type MoleculeStoreCommand =
  /** `frames`: only so many, the last ones. */
  | { readonly type: 'store.restore'; readonly client: string; readonly unit: string; readonly frames?: number }
  | { readonly type: 'store.save'; readonly client: string; readonly unit: string; readonly structure: Structure }
  | { readonly type: 'store.deleteAll' }

export type FileToSave =
  | { readonly kind: 'picture'; readonly name: string; readonly picture: Blob }
  | {
      readonly kind: 'molecule'
      readonly name: string
      readonly format: MoleculeFormat
      readonly topology: Topology
      /** x, y and z of each atom, in ångström. */
      readonly frames: readonly Float32Array[]
    }
