-- one row for each policy with claims; loss over the premium of all years, as the words of the question have it
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
paid as (
  select a.Policy_Amount_Identifier as amount_id, a.Policy_Amount as amount,
    d.Effective_Date as starts, d.Expiration_Date as ends, d.Policy_Coverage_Detail_Identifier as coverage_id,
    p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from policy_amount a
  semi join premium m on m.Policy_Amount_Identifier = a.Policy_Amount_Identifier
  left join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = a.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = a.Effective_Date
  left join policy p on p.Policy_Identifier = d.Policy_Identifier
), loss as (
  select cp.policy_number, sum(m.amount) as total_loss
  from marked m left join claim_policy cp on cp.claim_id = m.claim_id group by cp.policy_number
), made as (
  select policy_number, count(*) as claims from claim_policy group by policy_number
), earned as (
  select policy_number, sum(amount) as total_premium from paid group by policy_number
)
select loss.policy_number, cast(1.0 * loss.total_loss / earned.total_premium as decimal(18, 4)) as loss_ratio,
  made.claims, loss.total_loss, earned.total_premium
from loss
left join made on made.policy_number is not distinct from loss.policy_number
left join earned on earned.policy_number is not distinct from loss.policy_number
