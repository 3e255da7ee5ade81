import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { selectDonorName } from '../../../machines/account/donor/donor.selectors.ts'
import { scaleBarOf } from '../../../folding/molecule/atom-labels.ts'
import { styleName } from '../../../folding/molecule/molecule-style.ts'
import { formatPercent } from '../../../folding/text/format.ts'
import type { Economy } from '../../../machines/screens/viewer/viewer.context.ts'
import {
  isDragging,
  selectEconomy,
  selectDrawStyle,
  selectPositions,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { classNames } from '../../parts/class-names.ts'
import { usePlayer } from '../../journal/journal-context.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { MoleculeDrawing } from '../molecule/molecule-drawing.tsx'
import { useTheme } from './use-theme.ts'
import { AtomCard, HoverCard } from './atom-card.tsx'
import { Controls } from './controls.tsx'
import { COVERS } from './fit.ts'
import { Legend } from './legend.tsx'
import { Announcements } from './announcements.tsx'
import { isOnBattery } from './battery.ts'
import { useMoleculeNotes, useTopology, useUnitName } from './molecule-facts.ts'
import styles from './molecule-view.module.css'
import { UnitLine } from './unit-line.tsx'
import { SequenceStrip } from './sequence-strip.tsx'
import { linkedView } from './view-link.ts'
import { mountMoleculeCanvas, type MoleculeCanvas } from './molecule-canvas.ts'
import { useCanvas } from './use-canvas.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useViewerKeys } from './keys.ts'

/** `missing`: WebGL is not available. */
type Mounted = MoleculeCanvas | 'missing' | undefined

function atomCountText(count: number | undefined): string {
  return count === undefined ? t`??? atoms` : plural(count, { one: '# atom', other: '# atoms' })
}

/** Mounts the canvas in the element that `attach` is the ref of. */
function useMoleculeCanvas() {
  const { viewer } = useSystem()
  const theme = useTheme()
  const isLive = usePlayer() === undefined
  const [mounted, setMounted] = useState<Mounted>()
  const first = useRef(theme)
  const attach = useCallback(
    (host: HTMLElement | null) => {
      if (host === null) return
      const { camera } = linkedView(location.search)
      return mountMoleculeCanvas(host, viewer, first.current, camera, canvas => setMounted(canvas ?? 'missing'))
    },
    [viewer],
  )
  useEffect(() => {
    if (mounted === 'missing') viewer.send({ type: 'viewer.webglMissing' })
    else mounted?.setTheme(theme)
  }, [viewer, mounted, theme])
  useEffect(() => {
    if (mounted === undefined || mounted === 'missing') return
    mounted.setLive(isLive)
    if (!isLive) return
    if (mounted.isSoftware) viewer.send({ type: 'viewer.economize', because: 'software' })
    else void isOnBattery().then(isOn => isOn && viewer.send({ type: 'viewer.economize', because: 'battery' }))
  }, [viewer, mounted, isLive])
  return { attach, mounted }
}

/** Stays on the page after the 'WebGL not supported' alert is closed, with a still picture. */
function NoGraphics() {
  const topology = useTopology()
  const positions = useSelector(useSystem().viewer, selectPositions)
  return (
    <EmptyState icon="molecule" title={t`WebGL not supported`}>
      <p>{t`Molecules are drawn with WebGL 2, which is not available in this browser. Things to try:`}</p>
      <ul>
        <li>{t`Turn on hardware acceleration in the browser’s settings and restart the browser.`}</li>
        <li>{t`Update the browser and the graphics driver.`}</li>
        <li>{t`Close other tabs with 3D graphics: too many may be open at once.`}</li>
      </ul>
      <p>{t`The work unit keeps folding.`}</p>
      <figure className={styles['still']}>
        <MoleculeDrawing topology={topology} positions={positions} width={1280} height={720} />
        <figcaption className="quiet">{t`A still picture of the shown frame, drawn without WebGL.`}</figcaption>
      </figure>
    </EmptyState>
  )
}

const economies: Readonly<Record<Economy, string>> = {
  software: t`It stands still: this browser draws without a graphics card, which takes time from folding.`,
  battery: t`It stands still to save the battery.`,
  slow: t`It stands still: a picture takes long to draw here now.`,
}

/** How far the surface is that is being computed. */
function SurfaceNote({ canvas }: { readonly canvas: MoleculeCanvas | undefined }) {
  const share = useCanvas(canvas, one => one.surfaceShare())
  return share === undefined ? undefined : (
    <p className={styles['caption']}>{t`Computing the surface: ${formatPercent(share)}`}</p>
  )
}

/** Pixels of the scale bar. */
const LONGEST_BAR = 96

/** Scale at the center of the molecule. */
function ScaleBar({ canvas }: { readonly canvas: MoleculeCanvas | undefined }) {
  const perPixel = useCanvas(canvas, one => one.angstromsPerPixel()) ?? 0
  const bar = scaleBarOf(perPixel, LONGEST_BAR)
  return bar === undefined ? undefined : (
    <p className={styles['scale']}>
      <span className="visually-hidden">{t`Scale:`} </span>
      <span className={styles['bar']} style={{ inlineSize: `${Math.round(bar.pixels)}px` }} aria-hidden="true" />
      {bar.words}
    </p>
  )
}

function Notes({ unit }: UnitProps) {
  return useMoleculeNotes(unit).map(note => (
    <Banner key={note} tone="warning" icon="warning">
      {note}
    </Banner>
  ))
}

type UnitProps = { readonly unit: string }

/** The molecule with its captions, legend and controls. */
export const MoleculeView = memo(({ unit }: UnitProps) => {
  const { viewer } = useSystem()
  const { attach, mounted } = useMoleculeCanvas()
  const isFull = useSelector(viewer, snapshot => snapshot.hasTag('fullScreen'))
  const isHeld = useSelector(viewer, isDragging)
  const style = useSelector(viewer, selectDrawStyle)
  const hasLegend = useSelector(viewer, ({ context }) => context.showsLegend)
  const economy = useSelector(viewer, selectEconomy)
  const topology = useTopology()
  const { project, file } = useUnitName(unit)
  const canvas = mounted === 'missing' ? undefined : mounted
  const donor = useSelector(useSystem().donor, selectDonorName)
  const caption = donor === undefined ? t`Project ${project}` : t`Project ${project}, folded by ${donor}`
  useEffect(() => canvas?.setCaption(caption), [canvas, caption])
  useFullScreen(isFull, () => viewer.send({ type: 'viewer.leaveFullScreen' }))
  useViewerKeys(canvas)
  if (mounted === 'missing') return <NoGraphics />
  const atoms = atomCountText(topology?.names.length)
  return (
    <div className={classNames(styles['frame'], isFull && styles['full'])}>
      <div className="relative shrink-block">
        <div
          ref={attach}
          role="img"
          tabIndex={0}
          aria-label={t`Molecule of project ${project}: ${atoms}, ${styleName(style)}`}
          className={classNames(styles['canvas'], isHeld && styles['held'])}
        />
        <HoverCard />
        <div className={styles['captions']}>
          <p className={styles['caption']} {...COVERS}>
            <UnitLine unit={unit} atoms={atoms} />
          </p>
          {economy === undefined ? undefined : <p className={styles['caption']}>{economies[economy]}</p>}
          <SurfaceNote canvas={canvas} />
          <Notes unit={unit} />
          <AtomCard />
          <div className={styles['key']} {...COVERS}>
            {hasLegend ? <Legend /> : undefined}
            <ScaleBar canvas={canvas} />
          </div>
        </div>
      </div>
      <SequenceStrip canvas={canvas} />
      <Controls canvas={canvas} file={file} />
      <Announcements />
    </div>
  )
})
