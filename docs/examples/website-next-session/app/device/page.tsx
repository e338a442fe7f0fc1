import { OmiEnrolment } from '@omi/elements/react';

const Page = () => <OmiEnrolment />;
export default Page;
