const paths = {
  shield: 'M12 3l7 2.5v5.8c0 4.6-2.9 7.7-7 9.2-4.1-1.5-7-4.6-7-9.2V5.5zM8.8 11.8l2.3 2.3 4.2-4.6',
  inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h4.5l1 2.5h5l1-2.5H20',
  history: 'M12 7.5V12l3 2M4.5 12a7.5 7.5 0 1 0 2.3-5.4M4.5 4v3.5H8',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.7v4.6M9 14.7v4.6',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  check: 'M5 12.5l4.5 4.5L19 7',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  alert: 'M12 4l9 16H3zM12 10v4.5M12 17.3v.2',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.7v.2',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4',
  offline:
    'M4 4l16 16M8.5 12.5a6 6 0 0 1 2-1.3M15.5 12.5A6 6 0 0 0 14 11.5M5 9a11 11 0 0 1 3-2M19 9a11 11 0 0 0-7-3M12 18v.2',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4-2.5L4 17.5V20h3v-2h2v-2h2l1.5-1.5',
  share: 'M12 15V4M8.5 7L12 3.5 15.5 7M7 11H5.5v9h13v-9H17',
  phone: 'M8 3h8v18H8zM11 18.2h2',
} as const;

export type IconName = keyof typeof paths;

/** Decoration: the text beside it says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
