/*
 * The project's news in the order in which they are shown.
 */
import type { News, NewsItem } from '../../protocol/news.ts'

/** How many places chance may move an article down: the newest stay in front, and a long list is not always the same. */
const REACH = 4

/**
 * Shuffled by the chances that were drawn with them, with a bias for the newest (docs/product.md §9). Articles without
 * words are left out.
 */
export const newsInOrder = ({ items, chances }: News): readonly NewsItem[] =>
  items
    .map((item, index) => ({ item, place: index + REACH * (chances[index] ?? 0) }))
    .sort((a, b) => a.place - b.place)
    .flatMap(({ item }) => (item.title.trim() === '' && item.description.trim() === '' ? [] : [item]))
