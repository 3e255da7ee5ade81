/*
 * The triangles of a cartoon: a ribbon along the backbone of each peptide, wide where it is a helix, an arrow where it is
 * a strand, a tube elsewhere; a tube along each strand of nucleotides, with a rung for each base. The triangles are the
 * same in all frames; only corners move.
 */
import type { AminoAcid, Nucleotide, Polymers } from './polymers.ts'
import { HELIX, secondaryStructure, STRAND } from './secondary-structure.ts'
import { cross, dot, minus, mix, pointAt, scaled, unit, type Vector } from './vectors.ts'

export type Cartoon = {
  readonly corners: number
  /** Three corners a triangle. */
  readonly triangles: Uint32Array
  /** Per corner: the atom by which it is colored, and which a press on it finds. */
  readonly atoms: Uint32Array
  /** Writes x, y and z per corner: its place in ångström, and its normal of length 1. Corners without a place are NaN. */
  readonly place: (frame: Float32Array, places: Float32Array, normals: Float32Array) => void
}

/** How finely a cartoon is divided. */
export type Detail = {
  /** Parts of a residue, each between two cross-sections; with 0 a residue has a single cross-section. */
  readonly steps: number
  /** Corners of a cross-section. */
  readonly sides: number
  /** Only every nth residue inside a chain has cross-sections. */
  readonly every: number
}

const FINE: Detail = { steps: 8, sides: 8, every: 1 }
const COARSE: Detail = { steps: 4, sides: 8, every: 1 }
/** In the viewer more are coarse. */
const MANY_RESIDUES = 1500

/** From the finest on, each with fewer triangles than the one before. */
const DETAILS: readonly Detail[] = [
  FINE,
  COARSE,
  { steps: 4, sides: 6, every: 1 },
  { steps: 2, sides: 6, every: 1 },
  { steps: 2, sides: 4, every: 1 },
  { steps: 0, sides: 4, every: 1 },
]

/** Half the width and half the thickness of a cross-section, in ångström. */
type Section = readonly [width: number, thickness: number]

const TUBE: Section = [0.3, 0.3]
const RIBBON: Section = [1.35, 0.22]
const ARROW_BASE = 1.9
const ARROW_TIP = 0.08
const SHAFT: Section = [0.95, 0.24]
const STRAND_TUBE: Section = [0.55, 0.55]
const RUNG: Section = [0.35, 0.35]
/** Closes an end. */
const POINT: Section = [0, 0]
const RUNG_RINGS = 4

/** Ångström between two Cα, and between two C4′: farther apart, a periodic boundary is between them. */
const LONGEST_STEP = { peptide: 5, strand: 9 } as const

/** A point of a chain: the atom that it follows, and the direction of its width. */
type Station = { readonly atom: number; readonly from: number; readonly to: number }

function residuesIn({ peptides, strands }: Polymers): number {
  return [...peptides, ...strands].reduce((sum, { length }) => sum + length, 0)
}

/** Whether the residue has cross-sections; the ends of a chain always have. */
function isDrawn(at: number, residues: number, every: number): boolean {
  return at % every === 0 || at === residues - 1
}

function trianglesWith({ peptides, strands }: Polymers, { steps, sides, every }: Detail): number {
  const drawn = [...peptides, ...strands].reduce((sum, { length }) => sum + Math.ceil(length / every), 0)
  const rungs = Math.ceil(strands.flat().length / every)
  return (drawn * (steps + 1) + rungs * (RUNG_RINGS - 1)) * sides * 2
}

/** The finest detail with which a cartoon has at most so many triangles, as far as its chains can be that coarse. */
export function detailWithin(polymers: Polymers, most: number): Detail {
  const fitting = DETAILS.find(detail => trianglesWith(polymers, detail) <= most)
  if (fitting !== undefined) return fitting
  const coarsest = { steps: 0, sides: 4, every: 1 }
  return { ...coarsest, every: Math.ceil(trianglesWith(polymers, coarsest) / most) }
}

/** Undefined where nothing is a chain. Without a detail it is as fine as the viewer draws it. */
export function cartoonOf(polymers: Polymers, detail?: Detail): Cartoon | undefined {
  const residues = residuesIn(polymers)
  if (residues === 0) return undefined
  const { peptides, strands } = polymers
  const { steps, sides, every } = detail ?? (residues > MANY_RESIDUES ? COARSE : FINE)
  const rungs = strands.flat().filter((_, at) => at % every === 0)
  const atoms: number[] = []
  const triangles: number[] = []
  let ring = 0
  const addRing = (atom: number, isJoined: boolean): void => {
    for (let side = 0; side < sides; side++) atoms.push(atom)
    if (isJoined) join(triangles, sides, ring - 1, ring)
    ring += 1
  }
  const addChain = (stations: readonly Station[]): void =>
    stations.forEach(({ atom }, at) => {
      if (!isDrawn(at, stations.length, every)) return
      for (let step = 0; step <= steps; step++) addRing(atom, at > 0 || step > 0)
    })
  const peptideStations = peptides.map(chain => chain.map(aminoAcidStation))
  const strandStations = strands.map(chain => chain.map(nucleotideStation))
  for (const stations of [...peptideStations, ...strandStations]) addChain(stations)
  for (const { c1 } of rungs) for (let at = 0; at < RUNG_RINGS; at++) addRing(c1, at > 0)

  const place = (frame: Float32Array, places: Float32Array, normals: Float32Array): void => {
    const pen = createPen(places, normals, sides)
    const classes = secondaryStructure(peptides, frame)
    peptideStations.forEach((stations, chain) =>
      drawChain(pen, frame, stations, {
        steps,
        every,
        longestStep: LONGEST_STEP.peptide,
        classes: classes[chain] ?? new Uint8Array(stations.length),
      }),
    )
    for (const stations of strandStations)
      drawChain(pen, frame, stations, { steps, every, longestStep: LONGEST_STEP.strand })
    for (const rung of rungs) drawRung(pen, frame, rung)
  }
  return { corners: atoms.length, triangles: Uint32Array.from(triangles), atoms: Uint32Array.from(atoms), place }
}

function aminoAcidStation({ ca, c, o }: AminoAcid): Station {
  return { atom: ca, from: c, to: o }
}
function nucleotideStation({ c4, c1 }: Nucleotide): Station {
  return { atom: c4, from: c4, to: c1 }
}

/** The corners of a triangle go around counterclockwise, seen from outside. */
function join(triangles: number[], sides: number, one: number, other: number): void {
  for (let side = 0; side < sides; side++) {
    const next = (side + 1) % sides
    const [a, b, c, d] = [one * sides + side, one * sides + next, other * sides + side, other * sides + next]
    triangles.push(a, b, c, b, d, c)
  }
}

type Pen = {
  /** Adds a cross-section around a point. `width` and `thickness` are at right angles to each other and to the chain. */
  readonly ring: (center: Vector, width: Vector, thickness: Vector, section: Section) => void
}

function createPen(places: Float32Array, normals: Float32Array, sides: number): Pen {
  const cosines = Float64Array.from({ length: sides }, (_, side) => Math.cos((side / sides) * 2 * Math.PI))
  const sines = Float64Array.from({ length: sides }, (_, side) => Math.sin((side / sides) * 2 * Math.PI))
  let to = 0
  return {
    ring: (center, width, thickness, [wide, thick]) => {
      for (let side = 0; side < sides; side++) {
        const [cosine = 0, sine = 0] = [cosines[side], sines[side]]
        // The normal of an ellipse leans towards its short axis. An end has no size.
        const [across, up] = wide + thick > 0 ? [cosine * thick, sine * wide] : [cosine, sine]
        const length = Math.hypot(across, up) || 1
        for (const axis of [0, 1, 2] as const) {
          places[to] = center[axis] + width[axis] * cosine * wide + thickness[axis] * sine * thick
          normals[to] = (width[axis] * across + thickness[axis] * up) / length
          to += 1
        }
      }
    },
  }
}

/** Direction of the width at each station; neighbors do not face opposite ways. */
function widthsOf(frame: Float32Array, stations: readonly Station[]): readonly Vector[] {
  let before: Vector = [1, 0, 0]
  return stations.map(({ from, to }) => {
    const direction = unit(minus(pointAt(frame, to), pointAt(frame, from)), before)
    before = dot(direction, before) < 0 ? scaled(direction, -1) : direction
    return before
  })
}

/** Strands are pleated: the ribbon takes the mean of a residue and its neighbors. */
function smoothed(points: readonly Vector[], classes: Uint8Array | undefined): readonly Vector[] {
  return points.map((point, at) => {
    const [before, after] = [points[at - 1], points[at + 1]]
    if (classes?.[at] !== STRAND || before === undefined || after === undefined) return point
    return mix(point, mix(before, after, 0.5), 0.5)
  })
}

/** Catmull–Rom: through all points. */
function curve(a: Vector, b: Vector, c: Vector, d: Vector, share: number): Vector {
  const [s1, s2, s3] = [share, share * share, share * share * share]
  const weights = [-s1 + 2 * s2 - s3, 2 - 5 * s2 + 3 * s3, s1 + 4 * s2 - 3 * s3, -s2 + s3] as const
  const on = (axis: 0 | 1 | 2): number =>
    (a[axis] * weights[0] + b[axis] * weights[1] + c[axis] * weights[2] + d[axis] * weights[3]) / 2
  return [on(0), on(1), on(2)]
}

function drawChain(
  pen: Pen,
  frame: Float32Array,
  stations: readonly Station[],
  {
    steps,
    every,
    longestStep,
    classes,
  }: Pick<Detail, 'steps' | 'every'> & { readonly longestStep: number; readonly classes?: Uint8Array },
): void {
  const centers = stations.map(({ atom }) => pointAt(frame, atom))
  const isJoined = centers.map((center, at) => {
    const next = centers[at + 1]
    return next !== undefined && Math.hypot(...minus(next, center)) < longestStep
  })
  const points = smoothed(centers, classes)
  const widths = widthsOf(frame, stations)
  points.forEach((point, at) => {
    if (!isDrawn(at, points.length, every)) return
    const [hasBefore, hasAfter] = [isJoined[at - 1] === true, isJoined[at] === true]
    // Beyond an end the chain goes straight on.
    const after = (hasAfter ? points[at + 1] : undefined) ?? mirrored(point, hasBefore ? points[at - 1] : undefined)
    const before = (hasBefore ? points[at - 1] : undefined) ?? mirrored(point, after)
    const outerBefore = (hasBefore && isJoined[at - 2] === true ? points[at - 2] : undefined) ?? mirrored(before, point)
    const outerAfter = (hasAfter && isJoined[at + 1] === true ? points[at + 2] : undefined) ?? mirrored(after, point)
    const [width = [1, 0, 0], nextWidth = width, lastWidth = width]: readonly (Vector | undefined)[] = [
      widths[at],
      hasAfter ? widths[at + 1] : undefined,
      hasBefore ? widths[at - 1] : undefined,
    ]
    for (let step = 0; step <= steps; step++) {
      const share = steps === 0 ? 0 : step / steps - 0.5
      // An end is closed at its atom.
      const clampedShare = (share < 0 && !hasBefore) || (share > 0 && !hasAfter) ? 0 : share
      const center =
        clampedShare < 0
          ? curve(outerBefore, before, point, after, 1 + clampedShare)
          : curve(before, point, after, outerAfter, clampedShare)
      const near =
        clampedShare < 0
          ? curve(outerBefore, before, point, after, 0.98 + clampedShare)
          : curve(before, point, after, outerAfter, clampedShare + 0.02)
      const along = unit(clampedShare < 0 ? minus(center, near) : minus(near, center), [0, 0, 1])
      const wanted = clampedShare < 0 ? mix(lastWidth, width, 1 + clampedShare) : mix(width, nextWidth, clampedShare)
      const across = unit(minus(wanted, scaled(along, dot(wanted, along))), [1, 0, 0])
      const isEnd = (step === 0 && !hasBefore) || (step === steps && !hasAfter)
      pen.ring(
        center,
        across,
        cross(along, across),
        isEnd ? POINT : sectionAt(classes, at, clampedShare, hasBefore, hasAfter),
      )
    }
  })
}

function mirrored(center: Vector, other: Vector | undefined): Vector {
  return other === undefined ? center : minus(scaled(center, 2), other)
}

function sectionOf(classes: Uint8Array | undefined, at: number): Section {
  if (classes === undefined) return STRAND_TUBE
  return classes[at] === HELIX ? RIBBON : classes[at] === STRAND ? SHAFT : TUBE
}

/** The section at a share of a residue, from −0.5 to 0.5. The last residue of a strand is an arrowhead. */
function sectionAt(
  classes: Uint8Array | undefined,
  at: number,
  share: number,
  hasBefore: boolean,
  hasAfter: boolean,
): Section {
  const section = sectionOf(classes, at)
  const isLastOfStrand = classes?.[at] === STRAND && (!hasAfter || classes[at + 1] !== STRAND)
  if (isLastOfStrand) return [ARROW_BASE + (ARROW_TIP - ARROW_BASE) * (share + 0.5), section[1]]
  const other =
    share < 0 ? (hasBefore ? sectionOf(classes, at - 1) : section) : hasAfter ? sectionOf(classes, at + 1) : section
  const comesFromArrow = share < 0 && hasBefore && classes?.[at - 1] === STRAND && classes[at] !== STRAND
  if (comesFromArrow) return section
  const weight = Math.abs(share)
  return [section[0] + (other[0] - section[0]) * weight, section[1] + (other[1] - section[1]) * weight]
}

/** From the sugar to the atom of the base that is farthest from it. */
function drawRung(pen: Pen, frame: Float32Array, { c1, base }: Nucleotide): void {
  const start = pointAt(frame, c1)
  let end = start
  for (const atom of base) {
    const point = pointAt(frame, atom)
    if (Math.hypot(...minus(point, start)) > Math.hypot(...minus(end, start))) end = point
  }
  const along = unit(minus(end, start), [0, 0, 1])
  const across = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]), [1, 0, 0])
  const up = cross(along, across)
  for (const [center, section] of [
    [start, POINT],
    [start, RUNG],
    [end, RUNG],
    [end, POINT],
  ] as const)
    pen.ring(center, across, up, section)
}
