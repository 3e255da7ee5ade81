import { memo, useMemo, type ReactNode } from 'react'
import type { MatchRanges } from '../../../folding/log/log-search.ts'
import { splitIntoSpans, type LogTextSpan } from '../../../folding/log/log-spans.ts'
import { classNames } from '../../parts/class-names.ts'
import styles from './log-line.module.css'

type Props = {
  readonly number: number
  readonly line: string
  readonly marks: MatchRanges | undefined
  /** Time of day to show instead of the one in the line. */
  readonly clock: string | undefined
  /** Date heading above the line, when a new day starts. */
  readonly day: string | undefined
  readonly isChosen: boolean
  /** Out of view, but kept rendered because the selection starts or ends in it. */
  readonly isOffscreen: boolean
}

function classesOf({
  isHead,
  color,
  background,
  isBold,
  isDim,
  isItalic,
  isUnderlined,
  isStruck,
}: LogTextSpan): string {
  return classNames(
    isHead && styles['head'],
    color !== undefined && styles['colored'],
    background !== undefined && styles['tinted'],
    isBold && styles['bold'],
    isDim && styles['dim'],
    isItalic && styles['italic'],
    isUnderlined && styles['underlined'],
    isStruck && styles['struck'],
  )
}

function colorsOf({ color, background }: LogTextSpan): Readonly<Record<`--${string}`, string>> {
  return {
    ...(color === undefined ? {} : { '--ansi': `var(--ansi-${color})` }),
    ...(background === undefined ? {} : { '--ansi-behind': `var(--ansi-${background})` }),
  }
}

// Not a component: there are hundreds of spans in view.
function renderSpan(span: LogTextSpan, key: number): ReactNode {
  const classes = classesOf(span)
  if (span.isMatch)
    return (
      <mark key={key} className={classNames(styles['found'], classes)} style={colorsOf(span)}>
        {span.text}
      </mark>
    )
  if (classes === '') return span.text
  return (
    <span key={key} className={classes} style={colorsOf(span)}>
      {span.text}
    </span>
  )
}

/** One line, rendered as text only. */
export const LogLine = memo(({ number, line, marks, clock, day, isChosen, isOffscreen }: Props) => {
  const content = useMemo(
    () => splitIntoSpans(line, { ...(marks === undefined ? {} : { marks }), clock }).map(renderSpan),
    [line, marks, clock],
  )
  return (
    <div
      data-line={number}
      {...(isOffscreen ? { 'data-offscreen': '' } : {})}
      className={classNames(styles['line'], isOffscreen && styles['offscreen'])}
      {...(isChosen ? { 'aria-current': true } : {})}
      {...(day === undefined ? {} : { 'data-day': day })}
    >
      {/* With a date heading, the text is a block of its own, so that it is indented like other lines. */}
      {day === undefined ? content : <span className={styles['content']}>{content}</span>}
    </div>
  )
})
LogLine.displayName = 'LogLine'
