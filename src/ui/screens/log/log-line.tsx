import { memo, useMemo } from 'react'
import type { Marks } from '../../../folding/log/log-search.ts'
import { paintLine, type LogPiece } from '../../../folding/log/log-spans.ts'
import { classNames } from '../../parts/class-names.ts'
import styles from './log-line.module.css'

type Props = {
  readonly number: number
  readonly line: string
  readonly marks: Marks | undefined
  /** The time of day instead of the one that the client wrote. */
  readonly clock: string | undefined
  /** A day that begins with this line. */
  readonly day: string | undefined
  readonly isChosen: boolean
  /** It is out of sight, and stays on the page because a selection begins or ends in it. */
  readonly isAside: boolean
}

const classesOf = ({ isHead, colour, ground, isBold, isDim, isItalic, isUnderlined, isStruck }: LogPiece): string =>
  classNames(
    isHead && styles['head'],
    colour !== undefined && styles[colour],
    ground !== undefined && styles[`on-${ground}`],
    isBold && styles['bold'],
    isDim && styles['dim'],
    isItalic && styles['italic'],
    isUnderlined && styles['underlined'],
    isStruck && styles['struck'],
  )

const Piece = (piece: LogPiece) => {
  const classes = classesOf(piece)
  if (piece.isFound) return <mark className={classNames(styles['found'], classes)}>{piece.text}</mark>
  return classes === '' ? piece.text : <span className={classes}>{piece.text}</span>
}

/** One line, as text: nothing in it is ever taken for anything else. */
export const LogLine = memo(({ number, line, marks, clock, day, isChosen, isAside }: Props) => {
  const pieces = useMemo(
    () => paintLine(line, { ...(marks === undefined ? {} : { marks }), clock }),
    [line, marks, clock],
  )
  const words = pieces.map((piece, index) => <Piece key={index} {...piece} />)
  return (
    <div
      data-line={number}
      {...(isAside ? { 'data-aside': '' } : {})}
      className={classNames(styles['line'], isAside && styles['aside'])}
      {...(isChosen ? { 'aria-current': true } : {})}
      {...(day === undefined ? {} : { 'data-day': day })}
    >
      {/* Below the day, a block of its own: else its first line would not be indented as that of any other line is. */}
      {day === undefined ? words : <span className={styles['words']}>{words}</span>}
    </div>
  )
})
LogLine.displayName = 'LogLine'
