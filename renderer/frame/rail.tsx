/** The screens, 1 to 8. */
import { Fragment } from 'react';
import { railScreens } from '../screens/screens.tsx';
import { navigation } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';

export function Rail() {
  const { screen } = useStore(navigation);
  const firstLow = railScreens.findIndex(({ isLow }) => isLow);
  return (
    <nav className="rail" aria-label="Screens">
      {railScreens.map(({ id, title, icon: Icon }, i) => (
        <Fragment key={id}>
          {i === firstLow ? <span className="grow" /> : null}
          <a href={`#/${id}`} title={`${title}  ${i + 1}`} aria-current={id === screen ? 'page' : undefined}>
            <Icon aria-hidden />
            <span>{title}</span>
          </a>
        </Fragment>
      ))}
    </nav>
  );
}
