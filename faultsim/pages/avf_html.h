/* avf_html.h -- the tables of the page of AVF; each is left out where there is nothing to tell. */
#ifndef REPORT_AVF_HTML_H
#define REPORT_AVF_HTML_H

#include "faultsim/report/page.h"

void avf_html_avf(struct page *p);
void avf_html_outcomes(struct page *p);
void avf_html_speedup(struct page *p);
void avf_html_ace(struct page *p);
void avf_html_derating(struct page *p);
void avf_html_chip(struct page *p);
void avf_html_sms(struct page *p);
void avf_html_sps(struct page *p);

#endif
