/*
 * The triangles of a cartoon: a ribbon along the backbone of each peptide, wide where it is a helix, an arrow where it is
 * a strand, a tube elsewhere; a ribbon through the phosphates of each strand of nucleotides, with a plate for each base; dots
 * where residues are missing. The triangles are the same in all frames; only corners move.
 */
import { gapsOf, LONGEST_GAP, type AminoAcid, type Nucleotide, type Polymers } from './polymers.ts'
import { HELIX, secondaryStructureSteps, STRAND } from './secondary-structure.ts'
import { cross, distance, dot, minus, mix, pointAt, scaled, unit, type Vector } from './vectors.ts'

export type Cartoon = {
  /** Three corners a triangle. */
  readonly triangles: Uint32Array
  /** Per corner: the atom by which it is colored, and which a press on it finds. */
  readonly atoms: Uint32Array
  /** Writes x, y and z per corner, a residue a step: its place in ångström, and its normal of length 1. Corners without a place are NaN. */
  readonly place: (frame: Float32Array, places: Float32Array, normals: Float32Array) => Generator<undefined>
}

/** How finely a cartoon is divided. */
type Detail = {
  /** Parts of a residue, each between two cross-sections; with 0 a residue has a single cross-section. */
  readonly steps: number
  /** Corners of a cross-section. */
  readonly sides: number
}

const COARSEST: Detail = { steps: 0, sides: 4 }

/** From the finest on, each with fewer triangles than the one before. */
const DETAILS: readonly Detail[] = [
  { steps: 8, sides: 8 },
  { steps: 4, sides: 8 },
  { steps: 4, sides: 6 },
  { steps: 2, sides: 6 },
  { steps: 2, sides: 4 },
  COARSEST,
]

/** Half the width and half the thickness of a cross-section, in ångström. */
type Section = readonly [width: number, thickness: number]

const TUBE: Section = [0.32, 0.32]
const RIBBON: Section = [1.35, 0.24]
const ARROW_BASE = 1.9
const ARROW_TIP = 0.08
const SHAFT: Section = [0.95, 0.26]
/** Its width points to the bases, so that its flat side faces the axis of a double helix. */
const STRAND_RIBBON: Section = [0.28, 1.1]
const STEM: Section = [0.26, 0.26]
const BASE: Section = [1.15, 0.24]
/** Closes an end. */
const POINT: Section = [0, 0]
const NUCLEOTIDE_RINGS = 6
const DOTS = 5
const DOT_RADIUS = 0.3
/** Cross-sections of a dot: where along its axis, and how wide, in its radii. */
const DOT_RINGS = [
  [-1, 0],
  [-0.5, 0.866],
  [0.5, 0.866],
  [1, 0],
] as const

/** Ångström between two Cα, and between two phosphates: farther apart, a periodic boundary is between them. */
const LONGEST_STEP = { peptide: 5, strand: 9 } as const

/** Tangents of helices are that many times half a chord, so that the curve between two Cα is as far from the axis as they are. */
const HELIX_TENSION = 1.8

/** A point of a chain: the atom that it follows, and the direction of its width. */
type Station = { readonly atom: number; readonly from: number; readonly to: number }

function trianglesWith({ peptides, strands }: Polymers, { steps, sides }: Detail): number {
  const [residues, bases] = [peptides.flat().length, strands.flat().length]
  return ((residues + bases) * (steps + 1) + bases * (NUCLEOTIDE_RINGS - 1)) * sides * 2
}

/** Undefined where nothing is a chain. With at most so many triangles, and dots of gaps, where its chains can be that coarse. */
export function cartoonOf(polymers: Polymers, mostTriangles: number): Cartoon | undefined {
  const { peptides, strands } = polymers
  if (peptides.length + strands.length === 0) return undefined
  const { steps, sides } = DETAILS.find(detail => trianglesWith(polymers, detail) <= mostTriangles) ?? COARSEST
  const gaps = gapsOf(peptides)
  const atoms: number[] = []
  const triangles: number[] = []
  let ring = 0
  const addRing = (atom: number, isJoined: boolean): void => {
    for (let side = 0; side < sides; side++) atoms.push(atom)
    if (isJoined) join(triangles, sides, ring - 1, ring)
    ring += 1
  }
  const addRings = (atom: number, count: number): void => {
    for (let at = 0; at < count; at++) addRing(atom, at > 0)
  }
  const addChain = (stations: readonly Station[]): void =>
    stations.forEach(({ atom }, at) => {
      for (let step = 0; step <= steps; step++) addRing(atom, at > 0 || step > 0)
    })
  const peptideStations = peptides.map(chain => chain.map(aminoAcidStation))
  const strandStations = strands.map(nucleotideStations)
  for (const stations of [...peptideStations, ...strandStations]) addChain(stations)
  for (const { c1 } of strands.flat()) addRings(c1, NUCLEOTIDE_RINGS)
  for (const [from, to] of gaps)
    for (let dot = 0; dot < DOTS; dot++) addRings(dot * 2 < DOTS ? from : to, DOT_RINGS.length)

  function* place(frame: Float32Array, places: Float32Array, normals: Float32Array): Generator<undefined> {
    const pen = createPen(places, normals, sides)
    const classes = yield* secondaryStructureSteps(peptides, frame)
    const chains = peptideStations.map((stations, at) => traceOf(frame, stations, LONGEST_STEP.peptide, classes[at]))
    const traces = strandStations.map(stations => traceOf(frame, stations, LONGEST_STEP.strand))
    for (const trace of [...chains, ...traces]) yield* drawChain(pen, trace, steps)
    strands.forEach((chain, strand) => {
      chain.forEach((nucleotide, at) => drawNucleotide(pen, frame, nucleotide, traces[strand]?.at(at, 0.5).center))
    })
    for (const [from, to] of gaps) drawGap(pen, pointAt(frame, from), pointAt(frame, to))
  }
  return { triangles: Uint32Array.from(triangles), atoms: Uint32Array.from(atoms), place }
}

function aminoAcidStation({ ca, c, o }: AminoAcid): Station {
  return { atom: ca, from: c, to: o }
}

/** Each from its phosphorus on; the sugar of the last nucleotide ends the strand. */
function nucleotideStations(strand: readonly Nucleotide[]): readonly Station[] {
  const last = strand.at(-1)
  return [
    ...strand.map(({ p, c4, c1 }) => ({ atom: p ?? c4, from: p ?? c4, to: c1 })),
    ...(last === undefined ? [] : [{ atom: last.c3, from: last.c3, to: last.c1 }]),
  ]
}

/** The corners of a triangle go around counterclockwise, seen from outside. */
function join(triangles: number[], sides: number, one: number, other: number): void {
  for (let side = 0; side < sides; side++) {
    const next = (side + 1) % sides
    const [a, b, c, d] = [one * sides + side, one * sides + next, other * sides + side, other * sides + next]
    triangles.push(a, b, c, b, d, c)
  }
}

type Pen = ReturnType<typeof createPen>

function createPen(places: Float32Array, normals: Float32Array, sides: number) {
  const cosines = Float64Array.from({ length: sides }, (_, side) => Math.cos((side / sides) * 2 * Math.PI))
  const sines = Float64Array.from({ length: sides }, (_, side) => Math.sin((side / sides) * 2 * Math.PI))
  let to = 0
  return {
    /** Adds a cross-section around a point. `width` and `thickness` are at right angles to each other and to the chain. */
    ring: (center: Vector, width: Vector, thickness: Vector, [wide, thick]: Section): void => {
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

/** Each direction takes part of those beside it: a ribbon does not follow every tilt of a carbonyl. */
function softened(widths: readonly Vector[]): readonly Vector[] {
  return widths.map((own, at) => unit(mix(own, mix(widths[at - 1] ?? own, widths[at + 1] ?? own, 0.5), 0.5), own))
}

type Trace = ReturnType<typeof traceOf>

/** A curve through the stations of a chain, whose tangents and directions of width have no bend. */
function traceOf(frame: Float32Array, stations: readonly Station[], longestStep: number, classes?: Uint8Array) {
  const centers = stations.map(({ atom }) => pointAt(frame, atom))
  const joints = centers.map((center, at) => distance(center, centers[at + 1] ?? [NaN, NaN, NaN]) < longestStep)
  const points = smoothed(centers, classes)
  const widths = softened(widthsOf(frame, stations))
  const slopesOf = (values: readonly Vector[], tension: (at: number) => number): readonly Vector[] =>
    values.map((value, at) => {
      // Beyond an end the chain goes straight on.
      const [before, after] = [
        joints[at - 1] === true ? values[at - 1] : undefined,
        joints[at] === true ? values[at + 1] : undefined,
      ]
      const [from, to] = [before ?? value, after ?? value]
      return scaled(minus(to, from), before === undefined || after === undefined ? 1 : tension(at) / 2)
    })
  const slopes = slopesOf(points, at => (classes?.[at] === HELIX ? HELIX_TENSION : 1))
  const widthSlopes = slopesOf(widths, () => 1)
  return {
    classes,
    count: stations.length,
    /** Whether a station is joined to the next. */
    isJoined: (at: number): boolean => joints[at] === true,
    /** A place of the curve from half a station before this one to half a station after it; an end is closed at its atom. */
    at: (at: number, share: number) => {
      const isAtEnd = (share < 0 && joints[at - 1] !== true) || (share > 0 && joints[at] !== true)
      const clamped = isAtEnd ? 0 : share
      const first = clamped < 0 || joints[at] !== true ? Math.max(0, at - (joints[at - 1] === true ? 1 : 0)) : at
      const within = first === at ? clamped : clamped + 1
      const on = (values: readonly Vector[], directions: readonly Vector[], weights: Weights): Vector =>
        weighted(
          [
            values[first],
            directions[first],
            values[first + 1] ?? values[first],
            directions[first + 1] ?? directions[first],
          ],
          weights,
        )
      const center = on(points, slopes, hermite(within))
      const along = unit(on(points, slopes, hermiteSlope(within)), [0, 0, 1])
      const wanted = on(widths, widthSlopes, hermite(within))
      return { center, along, across: unit(minus(wanted, scaled(along, dot(wanted, along))), [1, 0, 0]) }
    },
  }
}

/** Of a value, its slope, the next value and its slope. */
type Weights = readonly [number, number, number, number]

function hermite(t: number): Weights {
  const [t2, t3] = [t * t, t * t * t]
  return [1 - 3 * t2 + 2 * t3, t - 2 * t2 + t3, 3 * t2 - 2 * t3, t3 - t2]
}
function hermiteSlope(t: number): Weights {
  const t2 = t * t
  return [6 * t2 - 6 * t, 1 - 4 * t + 3 * t2, 6 * t - 6 * t2, 3 * t2 - 2 * t]
}

function weighted(values: readonly (Vector | undefined)[], weights: Weights): Vector {
  const on = (axis: 0 | 1 | 2): number =>
    weights.reduce((sum, weight, at) => sum + weight * (values[at]?.[axis] ?? NaN), 0)
  return [on(0), on(1), on(2)]
}

function* drawChain(pen: Pen, { classes, count, isJoined, at: placeAt }: Trace, steps: number): Generator<undefined> {
  for (let at = 0; at < count; at++) {
    const [hasBefore, hasAfter] = [isJoined(at - 1), isJoined(at)]
    for (let step = 0; step <= steps; step++) {
      const share = steps === 0 ? 0 : step / steps - 0.5
      const { center, along, across } = placeAt(at, share)
      const isEnd = (step === 0 && !hasBefore) || (step === steps && !hasAfter)
      pen.ring(center, across, cross(along, across), isEnd ? POINT : sectionAt(classes, at, share, hasBefore, hasAfter))
    }
    yield
  }
}

function sectionOf(classes: Uint8Array | undefined, at: number): Section {
  if (classes === undefined) return STRAND_RIBBON
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

/** A stem from the ribbon to the sugar, and from there a plate in the plane of the base. */
function drawNucleotide(pen: Pen, frame: Float32Array, { c1, base }: Nucleotide, start: Vector | undefined): void {
  const sugar = pointAt(frame, c1)
  const places = base.map(atom => pointAt(frame, atom))
  const end = places.reduce((far, one) => (distance(one, sugar) > distance(far, sugar) ? one : far), sugar)
  const along = unit(minus(end, sugar), [0, 0, 1])
  const side = places.reduce<Vector>(
    (most, one) => {
      const off = minus(one, sugar)
      const beside = minus(off, scaled(along, dot(off, along)))
      return Math.hypot(...beside) > Math.hypot(...most) ? beside : most
    },
    [0, 0, 0],
  )
  const across = unit(side, [1, 0, 0])
  const up = cross(along, across)
  const stemAlong = unit(minus(sugar, start ?? sugar), along)
  const stemAcross = unit(minus(across, scaled(stemAlong, dot(across, stemAlong))), up)
  const stemUp = cross(stemAlong, stemAcross)
  pen.ring(start ?? sugar, stemAcross, stemUp, POINT)
  pen.ring(start ?? sugar, stemAcross, stemUp, STEM)
  pen.ring(sugar, across, up, STEM)
  pen.ring(mix(sugar, end, 0.3), across, up, BASE)
  pen.ring(end, across, up, BASE)
  pen.ring(end, across, up, POINT)
}

/** A dotted line, where the next part of the chain is near enough. */
function drawGap(pen: Pen, from: Vector, to: Vector): void {
  const along = unit(minus(to, from), [0, 0, 1])
  const across = unit(cross(along, Math.abs(along[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]), [1, 0, 0])
  const isShown = distance(from, to) < LONGEST_GAP
  for (let dot = 0; dot < DOTS; dot++) {
    const middle: Vector = isShown ? mix(from, to, (dot + 1) / (DOTS + 1)) : [NaN, NaN, NaN]
    for (const [at, wide] of DOT_RINGS)
      pen.ring(minus(middle, scaled(along, -at * DOT_RADIUS)), across, cross(along, across), [
        wide * DOT_RADIUS,
        wide * DOT_RADIUS,
      ])
  }
}
