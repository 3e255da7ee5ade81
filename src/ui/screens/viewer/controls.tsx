import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { isSolvent } from '../../../folding/molecule/kinds.ts'
import { drawnColoring, hasBackbone, knownMolecule } from '../../../folding/molecule/molecule.ts'
import { formatNumber, formatPercent, asWord } from '../../../folding/text/format.ts'
import { formatInterval } from '../../../folding/text/times.ts'
import { SPEEDS, type Speed } from '../../../folding/molecule/playback.ts'
import { coloringName, colorings, SURFACE, type Coloring } from '../../../folding/molecule/molecule-style.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import {
  hasSeveralFrames,
  isPlaying,
  isRotating,
  isWiggling,
  selectColoring,
  selectDrawStyle,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { ProgressBar } from '../../parts/display/progress-bar.tsx'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../parts/overlays/menu-popover.tsx'
import type { ViewerOption } from '../../../machines/screens/viewer/viewer.context.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import { useCopy } from '../../hooks/use-copy.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useWarningBeforeLeaving } from '../../hooks/use-leave-guard.ts'
import styles from './controls.module.css'
import { COVERS } from './fit.ts'
import { FrameSlider } from './frame-slider.tsx'
import { useTopology } from './molecule-facts.ts'
import type { MoleculeCanvas } from './molecule-canvas.ts'
import { queryOf } from './view-link.ts'
import { StyleButtons } from './style-buttons.tsx'
import { LeftToRight } from '../../parts/left-to-right.tsx'

type CanvasProps = { readonly canvas: MoleculeCanvas | undefined }

const ONE_FRAME = t`There are fewer than two frames so far.`

/** Those of the options that are on. */
function useChosen(options: readonly ViewerOption[]): readonly ViewerOption[] {
  return useSelector(useSystem().viewer, ({ context }) => options.filter(option => context[option]), shallowEqual)
}

function formatSpeed(speed: Speed): string {
  return `${formatNumber(speed)}×`
}

function PlaybackMenu() {
  const { viewer } = useSystem()
  const speed = useSelector(viewer, ({ context }) => context.speed)
  const isBackAndForth = useSelector(viewer, ({ context }) => context.swings)
  const entries = (): readonly MenuEntry[] => [
    ...SPEEDS.map(candidate => ({ id: String(candidate), label: formatSpeed(candidate) })),
    { id: 'loop', label: t`Loop`, startsGroup: true },
    { id: 'swing', label: t`Back and forth` },
  ]
  return (
    <MenuButton
      label={t`Playback: ${formatSpeed(speed)}`}
      icon="speed"
      chosen={[String(speed), isBackAndForth ? 'swing' : 'loop']}
      choosesSeveral
      entries={entries}
      onChoose={id => {
        const chosen = SPEEDS.find(candidate => String(candidate) === id)
        viewer.send(
          chosen === undefined
            ? { type: 'viewer.setSwing', swings: id === 'swing' }
            : { type: 'viewer.setSpeed', speed: chosen },
        )
      }}
    />
  )
}

function FrameControls({ canvas }: CanvasProps) {
  const { viewer } = useSystem()
  const hasSeveral = useSelector(viewer, hasSeveralFrames)
  const playing = useSelector(viewer, isPlaying)
  const wiggling = useSelector(viewer, isWiggling)
  const blocked = { blockedBecause: hasSeveral ? undefined : ONE_FRAME }
  return (
    <div role="group" aria-label={t`Frames`} dir="ltr" className={styles['frames']}>
      <IconButton
        icon="chevron-left"
        label={t`Previous frame`}
        hint={t`Previous frame (←)`}
        {...blocked}
        onPress={() => viewer.send({ type: 'viewer.step', by: -1 })}
      />
      <LeftToRight>
        <FrameSlider canvas={canvas} />
      </LeftToRight>
      <IconButton
        icon="chevron-right"
        label={t`Next frame`}
        hint={t`Next frame (→)`}
        {...blocked}
        onPress={() => viewer.send({ type: 'viewer.step', by: 1 })}
      />
      <IconButton
        icon={playing ? 'do-pause' : 'do-fold'}
        label={t`Play the trajectory`}
        hint={t`Play the trajectory (P)`}
        isPressed={playing}
        {...blocked}
        onPress={() => viewer.send({ type: 'viewer.togglePlayback' })}
      />
      <PlaybackMenu />
      <IconButton
        icon="wave"
        label={t`Wiggle`}
        hint={t`Wiggle (W)`}
        isPressed={wiggling}
        {...blocked}
        onPress={() => viewer.send({ type: 'viewer.toggleWiggle' })}
      />
    </div>
  )
}

const reasons: Partial<Record<Coloring, string>> = {
  chain: t`No chains can be determined from this molecule’s bonds.`,
  residue: t`No residues can be determined from this molecule’s bonds.`,
  structure: t`No residues can be determined from this molecule’s bonds.`,
  charge: t`The machine did not send charges.`,
}

const lookOptions = ['hasOutlines', 'isSeeThrough', 'hasGhost', 'showsLegend'] as const

function ColorMenu() {
  const { viewer } = useSystem()
  const chosen = useSelector(viewer, selectColoring)
  const options = useChosen(lookOptions)
  const style = useSelector(viewer, selectDrawStyle)
  const frames = useSelector(viewer, ({ context }) => context.frames.length)
  const topology = useTopology()
  const whyNot = (coloring: Coloring): string | undefined => {
    if (topology === undefined || drawnColoring(coloring, style, knownMolecule(topology)) !== coloring)
      return reasons[coloring]
    return coloring === 'motion' && frames < 2 ? ONE_FRAME : undefined
  }
  const entries = (): readonly MenuEntry[] => [
    ...colorings.map(({ coloring, name }) => ({
      id: coloring,
      label: name,
      blockedBecause: whyNot(coloring),
    })),
    { id: 'hasOutlines', label: t`Outlines`, startsGroup: true },
    {
      id: 'isSeeThrough',
      label: t`See-through surface`,
      blockedBecause: style === SURFACE ? undefined : t`The style is not a surface.`,
    },
    {
      id: 'hasGhost',
      label: t`First frame as a ghost`,
      blockedBecause:
        frames < 2
          ? ONE_FRAME
          : topology === undefined || !hasBackbone(knownMolecule(topology))
            ? t`No backbone was found in this molecule.`
            : undefined,
    },
    { id: 'showsLegend', label: t`Legend` },
  ]
  return (
    <MenuButton
      label={t`Colors: ${asWord(coloringName(chosen))}`}
      icon="colors"
      chosen={[chosen, ...options]}
      choosesSeveral
      entries={entries}
      onChoose={id => {
        const coloring = colorings.find(candidate => candidate.coloring === id)?.coloring
        const option = lookOptions.find(candidate => candidate === id)
        if (coloring !== undefined) viewer.send({ type: 'viewer.setColoring', coloring })
        else if (option !== undefined) viewer.send({ type: 'viewer.toggle', option })
      }}
    />
  )
}

function SolventButton() {
  const { viewer } = useSystem()
  const isShown = useSelector(viewer, ({ context }) => context.showsSolvent)
  const topology = useTopology()
  const hasSolvent = topology !== undefined && knownMolecule(topology).kinds.some(isSolvent)
  return (
    <IconButton
      icon="water"
      label={t`Water and ions`}
      hint={t`Water and ions (S)`}
      isPressed={isShown}
      blockedBecause={hasSolvent ? undefined : t`This molecule has no water and no ions.`}
      onPress={() => viewer.send({ type: 'viewer.toggle', option: 'showsSolvent' })}
    />
  )
}

const files = [
  { id: 'frame.pdb', label: t`This frame as PDB`, format: 'pdb', isTrajectory: false },
  { id: 'frame.cif', label: t`This frame as mmCIF`, format: 'cif', isTrajectory: false },
  { id: 'frame.xyz', label: t`This frame as XYZ`, format: 'xyz', isTrajectory: false },
  { id: 'trajectory.pdb', label: t`All frames as PDB`, format: 'pdb', isTrajectory: true },
  { id: 'trajectory.cif', label: t`All frames as mmCIF`, format: 'cif', isTrajectory: true },
  { id: 'trajectory.xyz', label: t`All frames as XYZ`, format: 'xyz', isTrajectory: true },
] as const

/** Pixels of the longer side. */
const pictures: Partial<Record<string, { readonly name: string; readonly longest?: number }>> = {
  picture: { name: '' },
  large: { name: '-4k', longest: 3840 },
}

const fileOptions = ['isTransparent', 'hasCaption'] as const
const videos = ['turn', 'trajectory'] as const

function linkOf(snapshot: ViewerSnapshot, canvas: MoleculeCanvas): string {
  const link = new URL(location.href)
  link.search = queryOf({
    style: selectDrawStyle(snapshot),
    coloring: selectColoring(snapshot),
    residue: snapshot.context.focus,
    hasGhost: snapshot.context.hasGhost,
    camera: canvas.camera(),
  })
  return link.href
}

function SaveMenu({ canvas, file }: CanvasProps & { readonly file: string }) {
  const { viewer } = useSystem()
  const { copy, outcome } = useCopy()
  const saving = useSelector(viewer, snapshot => snapshot.hasTag('saving'))
  const options = useChosen(fileOptions)
  const hasSeveral = useSelector(viewer, hasSeveralFrames)
  const blockedBecause = saving ? t`A file is being created.` : undefined
  const entries = (): readonly MenuEntry[] => [
    { id: 'isTransparent', label: t`Pictures without background` },
    { id: 'hasCaption', label: t`Pictures and videos with project and name` },
    { id: 'link', label: t`Copy the link to this view`, icon: 'link', startsGroup: true, isAction: true },
    ...(
      [
        { id: 'picture', label: t`Picture as PNG`, icon: 'picture', startsGroup: true },
        { id: 'large', label: t`Picture in 4K as PNG`, icon: 'picture' },
        { id: 'turn', label: t`Video of a turn`, icon: 'turn', startsGroup: true },
        {
          id: 'trajectory',
          label: t`Video of all frames`,
          icon: 'do-fold',
          blockedBecause: hasSeveral ? undefined : ONE_FRAME,
        },
        ...files.map(({ id, label }, at) => ({ id, label, icon: 'download' as const, startsGroup: at % 3 === 0 })),
      ] satisfies readonly MenuEntry[]
    ).map(entry => ({ blockedBecause, ...entry, isAction: true })),
  ]
  const save = (id: string): void => {
    const [kind, picture] = [files.find(candidate => candidate.id === id), pictures[id]]
    const option = fileOptions.find(candidate => candidate === id)
    const video = videos.find(candidate => candidate === id)
    if (id === 'link' && canvas !== undefined) copy(t`The link`, linkOf(viewer.getSnapshot(), canvas))
    else if (option !== undefined) viewer.send({ type: 'viewer.toggle', option })
    else if (video !== undefined) viewer.send({ type: 'viewer.record', kind: video, name: `${file}-${id}` })
    else if (kind !== undefined)
      viewer.send({
        type: 'viewer.saveMolecule',
        name: `${file}-${kind.id}`,
        format: kind.format,
        isTrajectory: kind.isTrajectory,
      })
    else if (picture !== undefined)
      void canvas?.snapshot(picture.longest).then(
        png => viewer.send({ type: 'viewer.savePicture', name: `${file}${picture.name}.png`, picture: png }),
        () => viewer.send({ type: 'viewer.pictureFailed' }),
      )
  }
  return (
    <>
      <MenuButton label={t`Save`} icon="download" chosen={options} choosesSeveral entries={entries} onChoose={save} />
      <p role="status" className="visually-hidden">
        {outcome}
      </p>
    </>
  )
}

/** The video that is being made, and the file that could not be. */
function FileNote() {
  const { viewer } = useSystem()
  const failed = useSelector(viewer, snapshot => snapshot.hasTag('saveFailed'))
  const share = useSelector(viewer, snapshot => snapshot.context.recording?.share)
  if (failed)
    return (
      <p role="alert" className="color-failed type-2">
        {t`The file could not be saved.`}
      </p>
    )
  return share === undefined ? undefined : <VideoNote share={share} />
}

function VideoNote({ share }: { share: number }) {
  const { viewer, clock } = useSystem()
  const now = useSelector(clock, selectNow)
  const [begin] = useState(now)
  useWarningBeforeLeaving(true)
  const time = formatInterval(Math.ceil((((now - begin) / 1000) * (1 - share)) / share))
  return (
    <div role="group" aria-label={t`Video`} className={styles['making']}>
      <span>
        {'VideoEncoder' in globalThis
          ? t`Making the video…`
          : t`This browser encodes no videos: its pictures come in a ZIP file.`}
      </span>
      <ProgressBar label={t`Video`} tone="running" share={share} valueText={formatPercent(share)} />
      {share === 0 || now === begin ? undefined : <span>{t`About ${time} left`}</span>}
      <Button onPress={() => viewer.send({ type: 'viewer.cancelFile' })}>{t`Cancel`}</Button>
    </div>
  )
}

/** Everything that can be pressed, within reach of a thumb. */
export function Controls({ canvas, file }: CanvasProps & { readonly file: string }) {
  const { viewer } = useSystem()
  const rotating = useSelector(viewer, isRotating)
  const full = useSelector(viewer, snapshot => snapshot.hasTag('fullScreen'))
  return (
    <div className={styles['controls']} {...COVERS}>
      <FileNote />
      <FrameControls canvas={canvas} />
      <div role="group" aria-label={t`View`} className={styles['view']}>
        <StyleButtons />
        <IconButton
          icon="turn"
          label={t`Rotate`}
          word={t`Rotate`}
          hint={t`Rotate (Space)`}
          isPressed={rotating}
          onPress={() => viewer.send({ type: 'viewer.toggleRotation' })}
        />
        <ColorMenu />
        <SolventButton />
        <IconButton
          icon="fit"
          label={t`Fit the molecule`}
          hint={t`Fit the molecule (Home)`}
          onPress={() => canvas?.fit()}
        />
        <IconButton
          icon={full ? 'shrink' : 'expand'}
          label={t`Full screen`}
          word={t`Full screen`}
          hint={t`Full screen (F)`}
          isPressed={full}
          onPress={() => viewer.send({ type: 'viewer.toggleFullScreen' })}
        />
        <SaveMenu canvas={canvas} file={file} />
      </div>
    </div>
  )
}
