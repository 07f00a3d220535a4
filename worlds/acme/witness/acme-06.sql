-- premiums of all years of a policy, added up
with paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select policy_number, sum(amount) as total_premium from paid group by policy_number
